import type { Migration } from './migration.ts'

const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const databaseMigrations: readonly Migration[] = [
  {
    id: 'kernel-0001-change-feed',
    sql: `
create table change_feed (
  ${tenantColumn},
  id uuid not null,
  topic text not null,
  key text not null,
  data jsonb not null default '{}',
  at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index change_feed_at on change_feed (at, id);`,
  },
  {
    id: 'kernel-0002-idempotency-key',
    sql: `
create table idempotency_key (
  ${tenantColumn},
  id uuid not null,
  actor text not null,
  key text not null,
  route text not null,
  body_sha256 text not null,
  status text not null constraint idempotency_key_status check (status in ('running', 'done')),
  response_status integer,
  response_headers jsonb,
  response_body bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint idempotency_key_once unique (tenant_id, actor, key)
);
create index idempotency_key_expires on idempotency_key (expires_at);`,
  },
  {
    id: 'kernel-0003-platform-state',
    sql: `
create table platform_state (
  name text primary key,
  value jsonb not null
);`,
  },
]
