import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

const run = `
      inputs jsonb not null,
      seed text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      result jsonb,
      failure text,
      created_by uuid,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, graph_id) references cybertwins_snapshot (tenant_id, id)`

/** Analyses of attack paths, and campaigns. */
export const runsMigration: Migration = {
  id: 'cybertwins-0002-runs',
  sql: `
    create table cybertwins_analysis (
      ${tenant},
      id uuid not null,
      graph_id uuid not null,
      scope text not null check (scope in ('crown_jewels', 'chosen')),
      max_reach double precision check (max_reach between 0 and 1),
      ${run}
    );
    create index cybertwins_analysis_created_at on cybertwins_analysis (tenant_id, created_at, id);
    create index cybertwins_analysis_scope on cybertwins_analysis (tenant_id, scope, status, created_at);
    create index cybertwins_analysis_graph on cybertwins_analysis (tenant_id, graph_id);

    create table cybertwins_campaign (
      ${tenant},
      id uuid not null,
      name text not null,
      template text not null check (template in ('custom', 'case_study', 'attack_campaign')),
      reference text,
      profile text not null,
      graph_id uuid not null,
      start_id uuid,
      goal_id uuid,
      runs int not null,
      ${run}
    );
    create index cybertwins_campaign_created_at on cybertwins_campaign (tenant_id, created_at, id);
    create index cybertwins_campaign_graph on cybertwins_campaign (tenant_id, graph_id);
  `,
}
