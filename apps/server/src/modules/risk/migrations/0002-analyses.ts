import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** FAIR analyses, whose versions are never overwritten, and simulations. */
export const analysesMigration: Migration = {
  id: 'risk-0002-analyses',
  sql: `
    create table risk_analysis (
      ${tenant},
      id uuid not null,
      risk_id uuid not null,
      number int not null check (number > 0),
      purpose text not null check (purpose in ('inherent', 'residual', 'target', 'what_if')),
      current boolean not null,
      model jsonb not null,
      tef_from jsonb,
      rationale jsonb not null,
      estimators jsonb not null,
      controls jsonb not null,
      currency text not null,
      engine text not null check (engine in ('exact', 'monte_carlo', 'both')),
      cause text not null check (cause in ('request', 'threat_update')),
      simulation_id uuid,
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      result jsonb,
      mean double precision,
      var95 double precision,
      created_by uuid,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint risk_analysis_number unique (tenant_id, risk_id, number),
      foreign key (tenant_id, risk_id) references risk_register (tenant_id, id)
    );
    create unique index risk_analysis_current on risk_analysis (tenant_id, risk_id, purpose) where current;
    create index risk_analysis_observed on risk_analysis (tenant_id, id) where current and tef_from is not null;

    create table risk_simulation (
      ${tenant},
      id uuid not null,
      kind text not null check (kind in ('scenario', 'portfolio', 'sensitivity', 'control_roi')),
      analysis_ids uuid[] not null,
      risk_ids uuid[] not null,
      inputs jsonb not null,
      inputs_sha256 text not null,
      engine_version text not null,
      seed text not null,
      iterations int not null,
      currency text not null,
      previous_simulation_id uuid,
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      progress double precision not null check (progress between 0 and 1),
      iterations_done int not null,
      losses_sha256 text,
      result jsonb,
      failure text,
      mean double precision,
      var95 double precision,
      tvar95 double precision,
      created_by uuid,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index risk_simulation_kind on risk_simulation (tenant_id, kind, created_at, id);
    create index risk_simulation_unfinished on risk_simulation (tenant_id, id) where status in ('queued', 'running');
  `,
}
