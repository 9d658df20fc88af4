import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const scoresMigration: Migration = {
  id: 'trust-0001-scores',
  sql: `
    create table trust_config (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      version int not null check (version >= 1),
      config jsonb not null,
      status text not null check (status in ('active', 'superseded')),
      created_by uuid,
      created_at timestamptz(3) not null,
      primary key (tenant_id, version)
    );
    create unique index trust_config_one_active on trust_config (tenant_id) where status = 'active';

    create table trust_snapshot (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      trigger text not null check (trigger in ('event', 'schedule', 'manual', 'config')),
      trigger_event_id uuid,
      algorithm text not null,
      config_version int not null,
      composite int not null check (composite between 0 and 10000),
      grade text not null,
      security int not null,
      compliance int not null,
      risk int not null,
      resilience int not null,
      ai_governance int not null,
      inputs jsonb not null,
      inputs_sha256 text not null,
      result jsonb not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, config_version) references trust_config (tenant_id, version)
    );
    create index trust_snapshot_created_at on trust_snapshot (tenant_id, created_at, id);

    create table trust_state (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      snapshot_id uuid not null,
      evidence jsonb not null,
      told_grade text not null,
      last_recalculated_at timestamptz(3) not null,
      primary key (tenant_id),
      foreign key (tenant_id, snapshot_id) references trust_snapshot (tenant_id, id)
    );
  `,
}
