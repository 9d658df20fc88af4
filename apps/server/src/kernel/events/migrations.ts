import type { Migration } from '../db/schema/migration.ts'

const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

const eventColumns = `
  ${tenantColumn},
  id uuid not null,
  channel text not null,
  type text not null,
  subject text not null,
  time timestamptz(3) not null,
  data jsonb not null,
  traceparent text,
  causation_depth integer not null default 0`

export const eventMigrations: readonly Migration[] = [
  {
    id: 'kernel-0010-outbox',
    sql: `
create table outbox (${eventColumns},
  xid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create index outbox_order on outbox (xid, id);`,
  },
  {
    id: 'kernel-0011-event-log',
    sql: `
create table event_log (${eventColumns},
  position bigint not null,
  sequence bigint not null,
  logged_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index event_log_position on event_log (position);
create unique index event_log_sequence on event_log (tenant_id, channel, sequence);
create table event_position (
  ${tenantColumn},
  channel text not null,
  sequence bigint not null,
  primary key (tenant_id, channel)
);
create table event_head (
  id integer primary key check (id = 1),
  position bigint not null
);
insert into event_head (id, position) values (1, 0);`,
  },
  {
    id: 'kernel-0012-event-handlers',
    sql: `
create table handled_event (
  ${tenantColumn},
  handler text not null,
  id uuid not null,
  at timestamptz(3) not null,
  primary key (tenant_id, handler, id)
);
create index handled_event_at on handled_event (at);
create table handler_backlog (
  ${tenantColumn},
  handler text not null,
  id uuid not null,
  position bigint not null,
  attempts integer not null,
  next_at timestamptz(3) not null,
  parked boolean not null default false,
  error text,
  primary key (tenant_id, handler, id)
);
create index handler_backlog_order on handler_backlog (handler, tenant_id, position) where not parked;
create table handler_position (
  name text primary key,
  position bigint not null,
  owner text,
  lease_until timestamptz(3)
);`,
  },
  {
    id: 'kernel-0013-durable-subscription',
    sql: `
create table durable_subscription (
  ${tenantColumn},
  id uuid not null,
  user_id uuid not null,
  name text not null,
  positions jsonb not null,
  acknowledges boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, name)
);
create index durable_subscription_idle on durable_subscription (updated_at);`,
  },
  {
    id: 'kernel-0036-handled-through',
    sql: `
create table handled_through (
  ${tenantColumn},
  handler text not null,
  position bigint not null,
  prior bigint,
  primary key (tenant_id, handler)
) with (fillfactor = 50);
alter table handled_event no force row level security;
alter table event_log no force row level security;
insert into handled_through (tenant_id, handler, position)
select tenant_id, handler, max(position) from handled_event join event_log using (tenant_id, id)
group by tenant_id, handler;
drop table handled_event;`,
  },
]
