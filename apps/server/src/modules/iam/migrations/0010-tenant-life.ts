import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const tenantLifeMigration: Migration = {
  id: 'iam-0010-tenant-life',
  sql: `
    alter table iam_tenant add column status_reason text;
    alter table iam_tenant add column deletion_scheduled_for timestamptz(3);
    alter table iam_tenant add column deleted_at timestamptz(3);
    alter table iam_tenant add constraint iam_tenant_deletion
      check ((status = 'pending_deletion') = (deletion_scheduled_for is not null));

    create table iam_tenant_export (
      ${tenantId},
      id uuid not null,
      user_id uuid not null,
      include text[] not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      progress double precision not null,
      failure text,
      manifest jsonb,
      manifest_sha256 text,
      signature_kid text,
      signature text,
      expires_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );

    create table iam_tenant_export_part (
      ${tenantId},
      id uuid not null,
      export_id uuid not null,
      table_name text not null,
      seq int not null,
      sealed bytea not null,
      primary key (tenant_id, id),
      constraint iam_tenant_export_part_place unique (tenant_id, export_id, table_name, seq),
      foreign key (tenant_id, export_id) references iam_tenant_export (tenant_id, id) on delete cascade
    );
  `,
}
