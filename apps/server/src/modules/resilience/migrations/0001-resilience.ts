import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** The service model in versions, the state of each service, and what was measured. */
export const modelMigration: Migration = {
  id: 'resilience-0001-model',
  sql: `
    create table resilience_model (
      ${tenant},
      id uuid not null,
      number int not null check (number > 0),
      services jsonb not null,
      common_causes jsonb not null,
      cause text not null check (cause in ('seed', 'request')),
      created_by uuid,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint resilience_model_number unique (tenant_id, number)
    );

    create table resilience_service (
      ${tenant},
      id uuid not null,
      key text not null,
      name text not null,
      kind text not null,
      criticality int not null check (criticality between 1 and 5),
      model_version int not null,
      document jsonb not null,
      prediction jsonb not null,
      rto jsonb not null,
      rpo jsonb not null,
      availability jsonb not null,
      verdict text not null,
      single_point boolean not null,
      breached text[] not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint resilience_service_key unique (tenant_id, key)
    );
    create index resilience_service_by_key on resilience_service (tenant_id, key, id);
    create index resilience_service_by_criticality on resilience_service (tenant_id, criticality, id);

    create table resilience_measurement (
      ${tenant},
      id uuid not null,
      service_key text not null,
      objective text not null check (objective in ('rto', 'rpo')),
      source text not null check (source in ('incident', 'experiment', 'restore')),
      reference text not null,
      minutes double precision check (minutes >= 0),
      started_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index resilience_measurement_by_service on resilience_measurement (tenant_id, service_key, started_at);
    create index resilience_measurement_open on resilience_measurement (tenant_id, reference) where minutes is null;
  `,
}

/** Scenarios, simulations and experiments with their journal, and the switch that stops all of them. */
export const experimentsMigration: Migration = {
  id: 'resilience-0002-experiments',
  sql: `
    create table resilience_scenario (
      ${tenant}, ${stamps},
      name text not null,
      description text not null,
      kind text not null check (kind in ('outage', 'degradation', 'data_loss', 'security', 'custom')),
      status text not null check (status in ('draft', 'approved', 'archived')),
      faults jsonb not null,
      failing_services jsonb not null,
      hypothesis jsonb not null,
      tags text[] not null,
      builtin boolean not null,
      chaostoolkit jsonb,
      not_executable jsonb not null,
      changed_by uuid,
      approved_by uuid,
      primary key (tenant_id, id),
      constraint resilience_scenario_name unique (tenant_id, name)
    );
    create index resilience_scenario_created_at on resilience_scenario (tenant_id, created_at, id);
    create index resilience_scenario_by_name on resilience_scenario (tenant_id, name, id);

    create table resilience_simulation (
      ${tenant},
      id uuid not null,
      scenario_id uuid,
      method text not null check (method in ('des', 'exact')),
      model_version int not null,
      inputs jsonb not null,
      horizon_hours double precision not null,
      runs int not null,
      seed text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      progress double precision not null check (progress between 0 and 1),
      result jsonb,
      result_sha256 text,
      failure text,
      created_by uuid,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index resilience_simulation_unfinished on resilience_simulation (tenant_id, id)
      where status in ('queued', 'running');

    create table resilience_experiment (
      ${tenant}, ${stamps},
      scenario_id uuid not null,
      mode text not null check (mode in ('dry_run', 'automated')),
      scope text not null check (scope in ('live')),
      status text not null check (status in
        ('pending_approval', 'ready', 'checking', 'injecting', 'recovering', 'completed', 'failed', 'aborted')),
      verdict text check (verdict in ('hypothesis_met', 'deviated', 'inconclusive')),
      blast_radius jsonb not null,
      faults jsonb not null,
      probes jsonb not null,
      guards jsonb not null,
      services text[] not null,
      ttl_seconds int not null check (ttl_seconds between 1 and 3600),
      seed text not null,
      criticality int not null,
      abort_cause text,
      stop_wanted boolean not null,
      affected_calls int not null,
      claimed_calls int not null,
      expected jsonb not null,
      checks jsonb not null,
      measured jsonb,
      created_by uuid not null,
      approved_by uuid,
      started_at timestamptz(3),
      injected_at timestamptz(3),
      finished_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, scenario_id) references resilience_scenario (tenant_id, id)
    );
    create index resilience_experiment_created_at on resilience_experiment (tenant_id, created_at, id);
    create index resilience_experiment_scenario on resilience_experiment (tenant_id, scenario_id);
    create index resilience_experiment_active on resilience_experiment (tenant_id, id)
      where status in ('ready', 'checking', 'injecting', 'recovering');

    create table resilience_journal (
      ${tenant},
      id uuid not null,
      seq int not null,
      experiment_id uuid not null,
      at timestamptz(3) not null,
      kind text not null,
      data jsonb not null,
      primary key (tenant_id, id)
    );
    create index resilience_journal_seq on resilience_journal (tenant_id, experiment_id, seq);

    create table resilience_lever (
      ${tenant},
      id text not null check (id in ('tenant', 'platform')),
      engaged boolean not null,
      changed_by uuid,
      reason text,
      changed_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
  `,
}
