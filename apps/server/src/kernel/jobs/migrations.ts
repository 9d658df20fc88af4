import type { Migration } from '../db/schema/migration.ts'

export const jobMigrations: readonly Migration[] = [
  {
    id: 'kernel-0020-job',
    sql: `
create table job (
  tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
  id uuid not null,
  kind text not null,
  key text,
  payload jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'dead', 'replaced')),
  run_at timestamptz(3) not null,
  lease_until timestamptz(3),
  lease_owner text,
  attempts integer not null default 0,
  progress double precision not null default 0,
  error text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index job_waiting_key on job (tenant_id, kind, key) where status = 'waiting' and key is not null;
create index job_ready on job (tenant_id, run_at, id) where status = 'waiting';
create index job_leased on job (lease_until) where status = 'running';
create index job_finished on job (finished_at) where finished_at is not null;
create index job_created_at on job (tenant_id, created_at, id);
create table job_schedule (
  kind text primary key,
  period bigint not null
);`,
  },
  {
    id: 'kernel-0021-job-record',
    sql: `
alter table job add column created_by uuid;
alter table job add column started_at timestamptz(3);
alter table job add column result jsonb;
alter table job drop constraint job_status_check;
alter table job add constraint job_status_check
  check (status in ('waiting', 'running', 'done', 'dead', 'replaced', 'cancelled'));
create index job_created_by on job (tenant_id, created_by, created_at, id) where created_by is not null;`,
  },
]
