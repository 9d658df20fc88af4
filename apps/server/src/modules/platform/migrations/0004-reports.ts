import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { stamps, tenant } from './columns.ts'

/** Reports and their files. */
export const reportsMigration: Migration = {
  id: 'platform-0004-reports',
  sql: `
    create table platform_report (
      ${tenant}, ${stamps},
      kind text not null,
      title text not null,
      parameters jsonb not null,
      formats text[] not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      progress double precision not null,
      snapshot_at timestamptz(3),
      failure text,
      omitted text[] not null,
      workflow_id uuid,
      created_by uuid not null,
      permissions text[] not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, workflow_id) references platform_workflow (tenant_id, id)
    );
    create index platform_report_created_at on platform_report (tenant_id, created_at, id);
    create index platform_report_workflow on platform_report (tenant_id, workflow_id);

    create table platform_report_file (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      report_id uuid not null,
      format text not null,
      bytes bigint not null,
      sha256 text not null,
      signature text not null,
      blob_id uuid,
      expires_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint platform_report_file_format unique (tenant_id, report_id, format),
      foreign key (tenant_id, report_id) references platform_report (tenant_id, id),
      foreign key (tenant_id, blob_id) references blob (tenant_id, id)
    );
    create index platform_report_file_blob on platform_report_file (tenant_id, blob_id);
    create index platform_report_file_expires_at on platform_report_file (tenant_id, expires_at);
  `,
}
