import type { Migration } from '../db/schema/migration.ts'

const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const scheduleMigrations: readonly Migration[] = [
  {
    id: 'kernel-0060-schedules',
    sql: `
create table schedule (
  ${tenantColumn},
  owner text not null,
  key text not null,
  kind text not null,
  payload jsonb not null,
  cron text,
  time_zone text,
  every_ms bigint check (every_ms > 0),
  missed_runs text not null check (missed_runs in ('skip', 'run_once', 'run_all')),
  most_runs integer not null check (most_runs > 0),
  enabled boolean not null,
  next_at timestamptz(3),
  fired_at timestamptz(3),
  fault text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, owner, key),
  check ((cron is null) = (time_zone is null) and (cron is null) <> (every_ms is null))
);
create index schedule_due on schedule (next_at) where enabled and next_at is not null;
create table schedule_wait (
  ${tenantColumn},
  owner text not null,
  key text not null,
  kind text not null,
  payload jsonb not null,
  channel text,
  subject text,
  matching jsonb not null,
  after_position bigint not null,
  until_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, owner, key),
  check (channel is not null or until_at is not null)
);
create index schedule_wait_channel on schedule_wait (tenant_id, channel) where channel is not null;
create index schedule_wait_due on schedule_wait (until_at) where until_at is not null;`,
  },
]
