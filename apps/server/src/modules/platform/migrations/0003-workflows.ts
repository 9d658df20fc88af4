import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { stamps, tenant } from './columns.ts'

/** Workflows with every version, runs, and the journal of their steps. */
export const workflowsMigration: Migration = {
  id: 'platform-0003-workflows',
  sql: `
    create table platform_workflow (
      ${tenant}, ${stamps},
      key text not null,
      name text not null,
      status text not null check (status in ('enabled', 'disabled', 'archived')),
      definition jsonb not null,
      declared_permissions text[] not null,
      owner_id uuid not null,
      primary key (tenant_id, id),
      constraint platform_workflow_key unique (tenant_id, key)
    );
    create index platform_workflow_created_at on platform_workflow (tenant_id, created_at, id);
    create index platform_workflow_by_key on platform_workflow (tenant_id, key, id);

    create table platform_workflow_version (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      workflow_id uuid not null,
      number int not null,
      name text not null,
      status text not null,
      definition jsonb not null,
      declared_permissions text[] not null,
      created_by uuid not null,
      primary key (tenant_id, id),
      constraint platform_workflow_version_number unique (tenant_id, workflow_id, number),
      foreign key (tenant_id, workflow_id) references platform_workflow (tenant_id, id)
    );

    create table platform_run (
      ${tenant}, ${stamps},
      workflow_id uuid not null,
      workflow_version int not null,
      trigger jsonb not null,
      dry_run boolean not null,
      status text not null check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
      depth int not null,
      owner_id uuid not null,
      requested_by uuid,
      started_at timestamptz(3),
      ended_at timestamptz(3),
      trigger_key text not null,
      event jsonb,
      input jsonb not null,
      traceparent text,
      lease_job text,
      lease_until timestamptz(3),
      primary key (tenant_id, id),
      constraint platform_run_trigger unique (tenant_id, workflow_id, trigger_key),
      foreign key (tenant_id, workflow_id) references platform_workflow (tenant_id, id)
    );
    create index platform_run_created_at on platform_run (tenant_id, created_at, id);
    create index platform_run_of on platform_run (tenant_id, workflow_id, created_at, id);
    create index platform_run_ended_at on platform_run (tenant_id, ended_at);

    create table platform_run_step (
      ${tenant},
      id uuid not null,
      run_id uuid not null,
      position int not null,
      step_id text not null,
      type text not null,
      status text not null check (status in ('pending', 'running', 'waiting', 'succeeded', 'failed', 'skipped')),
      attempts int not null,
      input_hash text,
      error jsonb,
      decisions jsonb not null,
      waiting_until timestamptz(3),
      started_at timestamptz(3),
      ended_at timestamptz(3),
      output jsonb,
      primary key (tenant_id, id),
      constraint platform_run_step_place unique (tenant_id, run_id, step_id),
      foreign key (tenant_id, run_id) references platform_run (tenant_id, id) on delete cascade
    );
  `,
}
