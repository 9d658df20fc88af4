import type { Migration } from '../db/schema/migration.ts'

const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const blobMigrations: readonly Migration[] = [
  {
    id: 'kernel-0060-blob',
    sql: `
create table blob_object (
  ${tenantColumn},
  id uuid not null,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index blob_object_bytes on blob_object (tenant_id, bytes);
create table blob (
  ${tenantColumn},
  id uuid not null,
  bytes bigint not null check (bytes >= 0),
  sha256 text not null,
  wrapped_key bytea not null,
  unreferenced_since timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index blob_unreferenced_since on blob (unreferenced_since) where unreferenced_since is not null;`,
  },
]
