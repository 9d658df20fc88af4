import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/**
 * Exports of the log, calls before their redaction, and the time up to which the log was cleared. A file can be read as
 * long as its wrapped key exists.
 */
export const exportsMigration: Migration = {
  id: 'gateway-0012-exports',
  sql: `
    create table gateway_request_export (
      ${tenant},
      id uuid not null,
      user_id uuid not null,
      format text not null,
      gzip boolean not null,
      include_payload boolean not null,
      filter jsonb not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      progress double precision not null,
      row_count int,
      bytes bigint,
      sha256 text,
      blob_sha256 text,
      wrapped_key bytea,
      failure text,
      snapshot_at timestamptz(3) not null,
      expires_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      check (wrapped_key is null or blob_sha256 is not null)
    );
    create index gateway_request_export_expires_at on gateway_request_export (tenant_id, expires_at);
    create index gateway_request_export_unfinished on gateway_request_export (tenant_id, updated_at)
      where status in ('queued', 'running');

    alter table gateway_request_payload add column original bytea;

    create table gateway_log_retention (
      ${tenant},
      removed_before timestamptz(3) not null,
      primary key (tenant_id)
    );
    create index gateway_request_intent_created_at on gateway_request_intent (tenant_id, created_at, id);
  `,
}
