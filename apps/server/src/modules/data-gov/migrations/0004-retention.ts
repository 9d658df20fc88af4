import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** Retention policies and holds, their runs, requests of data subjects, and the ledger of erasures. */
export const retentionMigration: Migration = {
  id: 'data-gov-0004-retention',
  sql: `
    create table data_gov_policy (
      ${tenant}, ${stamps},
      kind text not null check (kind in ('schedule', 'legal_hold')),
      name text not null,
      edition int not null,
      supersedes uuid,
      categories text[] not null,
      subjects int not null,
      matter text,
      minimum text,
      maximum text,
      method text,
      ground text not null,
      status text not null check (status in ('active', 'superseded', 'retired', 'released')),
      effective_from timestamptz(3) not null,
      ended_at timestamptz(3),
      reason text,
      last_run_at timestamptz(3),
      next_run_at timestamptz(3),
      created_by uuid,
      hold_id uuid,
      primary key (tenant_id, id)
    );
    create index data_gov_policy_created_at on data_gov_policy (tenant_id, created_at, id);
    create index data_gov_policy_due on data_gov_policy (tenant_id, next_run_at) where status = 'active';

    create table data_gov_run (
      ${tenant}, ${stamps},
      kind text not null check (kind in ('policy', 'subject_request')),
      request_type text,
      dry_run boolean not null,
      policy_ids uuid[] not null,
      subject_id uuid,
      aliases_masked text[] not null,
      jurisdiction text,
      identity jsonb,
      received_at timestamptz(3) not null,
      due_at timestamptz(3) not null,
      extended boolean not null,
      status text not null,
      plan jsonb not null,
      results jsonb not null,
      verification jsonb,
      certificate text,
      export_expires_at timestamptz(3),
      reason text,
      requested_by uuid,
      approved_by uuid,
      completed_at timestamptz(3),
      sealed_aliases bytea,
      export_id uuid,
      primary key (tenant_id, id),
      foreign key (tenant_id, subject_id) references data_gov_subject (tenant_id, id),
      foreign key (tenant_id, export_id) references blob (tenant_id, id)
    );
    create index data_gov_run_created_at on data_gov_run (tenant_id, created_at, id);
    create index data_gov_run_due_at on data_gov_run (tenant_id, due_at, id);
    create index data_gov_run_subject on data_gov_run (tenant_id, subject_id);
    create index data_gov_run_export on data_gov_run (tenant_id, export_id);

    create table data_gov_erasure (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      run_id uuid not null,
      subject_id uuid,
      hashes text[] not null,
      user_ids uuid[] not null,
      certificate_sha256 text,
      replayed_at timestamptz(3),
      primary key (tenant_id, id)
    );
    create index data_gov_erasure_created_at on data_gov_erasure (tenant_id, created_at);
  `,
}
