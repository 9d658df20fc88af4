import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** The inventory of data with its labels, and the scans that found them. */
export const classificationMigration: Migration = {
  id: 'data-gov-0003-classification',
  sql: `
    create table data_gov_asset (
      ${tenant}, ${stamps},
      key text not null,
      kind text not null,
      namespace text not null,
      name text not null,
      field text,
      owner_user_id uuid,
      level text check (level in ('public', 'internal', 'confidential', 'restricted')),
      level_set text check (level_set in ('public', 'internal', 'confidential', 'restricted')),
      categories text[] not null,
      labels jsonb not null,
      pinned boolean not null,
      purposes text[] not null,
      last_scan_id uuid,
      last_seen_at timestamptz(3),
      primary key (tenant_id, id),
      constraint data_gov_asset_key unique (tenant_id, key)
    );
    create index data_gov_asset_created_at on data_gov_asset (tenant_id, created_at, id);
    create index data_gov_asset_updated_at on data_gov_asset (tenant_id, updated_at, id);

    create table data_gov_scan (
      ${tenant}, ${stamps},
      source jsonb not null,
      sampling jsonb not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      rows_read int not null,
      characters bigint not null,
      findings jsonb not null,
      reads jsonb not null,
      errors text[] not null,
      completed_at timestamptz(3),
      created_by uuid,
      auto_confirm double precision not null,
      connection jsonb,
      primary key (tenant_id, id)
    );
    create index data_gov_scan_created_at on data_gov_scan (tenant_id, created_at, id);
  `,
}
