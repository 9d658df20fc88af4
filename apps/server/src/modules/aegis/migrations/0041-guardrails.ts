import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Guardrails, their versions and their counts, and sessions that a guardrail ended. */
export const guardrailsMigration: Migration = {
  id: 'aegis-0041-guardrails',
  sql: `
    create table aegis_guardrail (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      name text not null,
      slug text not null,
      description text,
      kind text not null check (kind in ('input', 'output', 'tool', 'flow')),
      priority int not null,
      status text not null check (status in ('draft', 'monitor', 'enforce', 'disabled', 'archived')),
      latest_version int not null,
      live_version int,
      base_version int,
      rollout_percent double precision not null check (rollout_percent between 0 and 100),
      rolled_out_at timestamptz(3),
      auto_rollback jsonb,
      target jsonb not null,
      checks jsonb not null,
      action text not null,
      action_config jsonb not null,
      on_error text not null check (on_error in ('deny', 'allow', 'monitor')),
      message text,
      tags text[] not null,
      primary key (tenant_id, id),
      constraint aegis_guardrail_slug unique (tenant_id, slug)
    );
    create index aegis_guardrail_created_at on aegis_guardrail (tenant_id, created_at, id);
    create index aegis_guardrail_name on aegis_guardrail (tenant_id, name, id);
    create index aegis_guardrail_priority on aegis_guardrail (tenant_id, priority, id);
    create index aegis_guardrail_live on aegis_guardrail (tenant_id, status) where status in ('monitor', 'enforce');

    create table aegis_guardrail_version (
      ${tenant},
      id uuid not null,
      guardrail_id uuid not null,
      number int not null,
      definition jsonb not null,
      created_by uuid not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint aegis_guardrail_version_number unique (tenant_id, guardrail_id, number),
      foreign key (tenant_id, guardrail_id) references aegis_guardrail (tenant_id, id) on delete cascade
    );

    create table aegis_guardrail_metric (
      ${tenant},
      guardrail_id uuid not null,
      version int not null,
      minute timestamptz(3) not null,
      evaluated bigint not null,
      matched bigint not null,
      would_block bigint not null,
      blocked bigint not null,
      redacted bigint not null,
      held bigint not null,
      errors bigint not null,
      durations bigint[] not null,
      primary key (tenant_id, guardrail_id, version, minute),
      foreign key (tenant_id, guardrail_id) references aegis_guardrail (tenant_id, id) on delete cascade
    );
    create index aegis_guardrail_metric_minute on aegis_guardrail_metric (tenant_id, minute);

    create index aegis_activity_recorded on aegis_activity (tenant_id, time, agent_id, event_id);

    alter table aegis_session
      drop constraint aegis_session_status_check,
      add constraint aegis_session_status_check check (status in ('open', 'closed', 'killed'));
  `,
}
