import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const times = `created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** Events of OpenLineage, and the graph that follows from them. */
export const lineageMigration: Migration = {
  id: 'data-gov-0002-lineage',
  sql: `
    create table data_gov_node (
      ${tenant}, id uuid not null, version int not null, ${times},
      key text not null,
      kind text not null check (kind in ('dataset', 'column', 'job', 'agent', 'model')),
      namespace text not null,
      name text not null,
      field text,
      dropped_at timestamptz(3),
      run_id text,
      run_at timestamptz(3),
      primary key (tenant_id, id),
      constraint data_gov_node_key unique (tenant_id, key)
    );

    create table data_gov_edge (
      ${tenant}, id uuid not null, ${times},
      key text not null,
      from_id uuid not null,
      to_id uuid not null,
      level text not null check (level in ('dataset', 'column', 'job')),
      type text,
      subtype text,
      masking boolean not null,
      source text not null,
      job_id uuid,
      run_id text,
      valid_from timestamptz(3) not null,
      valid_to timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, from_id) references data_gov_node (tenant_id, id),
      foreign key (tenant_id, to_id) references data_gov_node (tenant_id, id),
      foreign key (tenant_id, job_id) references data_gov_node (tenant_id, id)
    );
    create unique index data_gov_edge_current on data_gov_edge (tenant_id, key) where valid_to is null;
    create index data_gov_edge_from on data_gov_edge (tenant_id, from_id);
    create index data_gov_edge_to on data_gov_edge (tenant_id, to_id);
    create index data_gov_edge_job on data_gov_edge (tenant_id, job_id);

    create table data_gov_lineage_event (
      ${tenant}, id uuid not null, created_at timestamptz(3) not null,
      digest text not null,
      kind text not null,
      event_type text,
      event_time timestamptz(3) not null,
      job_key text,
      run_id text,
      event jsonb not null,
      primary key (tenant_id, id),
      constraint data_gov_lineage_event_digest unique (tenant_id, digest)
    );
    create index data_gov_lineage_event_run on data_gov_lineage_event (tenant_id, run_id);
    create index data_gov_lineage_event_created on data_gov_lineage_event (tenant_id, created_at);
  `,
}
