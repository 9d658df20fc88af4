import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const backupsMigration: Migration = {
  id: 'admin-0005-backups',
  sql: `
    create table admin_backup (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      kind text not null check (kind in ('full', 'tenant')),
      target text not null check (target in ('local')),
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'expired')),
      progress double precision not null default 0,
      size_bytes bigint,
      sha256 text,
      schema_version text,
      tables integer,
      rows bigint,
      audit_heads jsonb,
      failure text,
      verified_at timestamptz(3),
      created_by uuid,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index admin_backup_created_at on admin_backup (tenant_id, created_at, id);
    create index admin_backup_status on admin_backup (tenant_id, status);`,
}
