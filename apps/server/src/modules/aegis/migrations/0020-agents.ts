import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The register of agents, and observations of them. An agent's id is that of its service account. */
export const agentsMigration: Migration = {
  id: 'aegis-0020-agents',
  sql: `
    create table aegis_agent (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      name text not null,
      slug text not null,
      owner_user_id uuid not null,
      sponsor_user_id uuid,
      purpose text not null,
      framework text,
      agent_version text,
      environment text not null check (environment in ('dev', 'staging', 'prod')),
      models jsonb not null,
      tools jsonb not null,
      destinations text[] not null,
      data_classes text[] not null,
      autonomy_level int not null check (autonomy_level between 0 and 5),
      untrusted_input boolean not null,
      expected_calls_per_day double precision not null,
      tags text[] not null,
      risk_score double precision not null,
      computed_tier int not null check (computed_tier between 1 and 4),
      raised_tier int check (raised_tier between 1 and 4),
      risk_tier int not null check (risk_tier between 1 and 4),
      status text not null check (status in ('draft', 'in_review', 'approved', 'active', 'quarantined', 'retired')),
      status_reason text,
      review jsonb,
      approved_at timestamptz(3),
      next_review_at timestamptz(3),
      calls_per_day double precision,
      last_seen_at timestamptz(3),
      has_drift boolean not null,
      scored_until timestamptz(3),
      primary key (tenant_id, id),
      constraint aegis_agent_slug unique (tenant_id, slug),
      check (risk_tier = greatest(computed_tier, coalesce(raised_tier, 1)))
    );
    create index aegis_agent_created_at on aegis_agent (tenant_id, created_at, id);
    create index aegis_agent_name on aegis_agent (tenant_id, name, id);
    create index aegis_agent_risk_score on aegis_agent (tenant_id, risk_score, id);
    create index aegis_agent_scored_until on aegis_agent (tenant_id, scored_until) where scored_until is not null;

    create table aegis_agent_use (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      agent_id uuid not null,
      kind text not null check (kind in ('tool', 'model', 'destination', 'data_class')),
      name text not null,
      calls bigint not null,
      first_seen_at timestamptz(3) not null,
      last_seen_at timestamptz(3) not null,
      primary key (tenant_id, agent_id, kind, name),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );
  `,
}
