import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Learned baselines of agents, and the anomalies found against them. */
export const baselinesMigration: Migration = {
  id: 'aegis-0022-baselines',
  sql: `
    create table aegis_baseline (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      agent_id uuid not null,
      state jsonb not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, agent_id),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );

    create table aegis_baseline_bucket (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      agent_id uuid not null,
      bucket int not null check (bucket between 0 and 47),
      rings jsonb not null,
      primary key (tenant_id, agent_id, bucket),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );

    create table aegis_anomaly (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      agent_id uuid not null,
      detector text not null check (detector in ('level', 'drift', 'tool_mix', 'novelty', 'sequence')),
      feature text not null,
      window_start timestamptz(3) not null,
      window_end timestamptz(3) not null,
      observed double precision not null,
      expected double precision not null,
      threshold double precision not null,
      score double precision not null,
      severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
      contributors text[] not null,
      session_ids uuid[] not null,
      alert_id uuid,
      label text check (label in ('true_positive', 'false_positive')),
      labeled_at timestamptz(3),
      primary key (tenant_id, id),
      constraint aegis_anomaly_once unique (tenant_id, agent_id, detector, feature, window_start),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );
    create index aegis_anomaly_created_at on aegis_anomaly (tenant_id, created_at, id);
    create index aegis_anomaly_score on aegis_anomaly (tenant_id, score, id);
    create index aegis_anomaly_alert on aegis_anomaly (tenant_id, alert_id) where alert_id is not null;
  `,
}
