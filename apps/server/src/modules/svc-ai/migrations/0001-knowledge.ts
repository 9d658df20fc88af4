import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { made, stamps, tenant } from './columns.ts'

/** Knowledge sources with their documents, chunks and index. */
export const knowledgeMigration: Migration = {
  id: 'svc-ai-0001-knowledge',
  sql: `
    create table svc_ai_source (
      ${tenant}, ${stamps},
      name text not null,
      kind text not null check (kind in ('file', 'url', 'text', 'platform')),
      config jsonb not null,
      visibility text not null check (visibility in ('tenant', 'roles', 'users')),
      role_names text[] not null,
      user_ids uuid[] not null,
      permissions text[] not null,
      declared_class text not null,
      classification text not null,
      language text not null,
      refresh_cron text,
      status text not null check (status in ('queued', 'fetching', 'indexing', 'ready', 'failed')),
      documents int not null,
      chunks int not null,
      quarantined_chunks int not null,
      characters int not null,
      index_version int not null,
      content_sha256 text,
      last_sync_at timestamptz(3),
      error text,
      created_by uuid,
      primary key (tenant_id, id)
    );
    create unique index svc_ai_source_unique_name on svc_ai_source (tenant_id, lower(name));
    create index svc_ai_source_created_at on svc_ai_source (tenant_id, created_at, id);
    create index svc_ai_source_name on svc_ai_source (tenant_id, name, id);

    create table svc_ai_document (
      ${tenant}, ${made},
      source_id uuid not null,
      position int not null,
      title text not null,
      media_type text not null,
      blob_id uuid,
      pending boolean not null,
      characters int not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, source_id) references svc_ai_source (tenant_id, id) on delete cascade,
      foreign key (tenant_id, blob_id) references blob (tenant_id, id)
    );
    create index svc_ai_document_source on svc_ai_document (tenant_id, source_id, position);
    create index svc_ai_document_blob on svc_ai_document (tenant_id, blob_id);

    create table svc_ai_chunk (
      ${tenant}, ${made},
      source_id uuid not null,
      document_id uuid not null,
      position int not null,
      start_at int not null,
      end_at int not null check (end_at > start_at),
      page int,
      score double precision not null,
      quarantined boolean not null,
      patterns text[] not null,
      detector_version text not null,
      sealed bytea not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, document_id) references svc_ai_document (tenant_id, id) on delete cascade
    );
    create index svc_ai_chunk_source on svc_ai_chunk (tenant_id, source_id);
    create index svc_ai_chunk_document on svc_ai_chunk (tenant_id, document_id, position);

    create table svc_ai_block (
      ${tenant}, ${made},
      source_id uuid not null,
      document_id uuid not null,
      position int not null,
      language text not null,
      sealed bytea not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, document_id) references svc_ai_document (tenant_id, id) on delete cascade
    );
    create index svc_ai_block_source on svc_ai_block (tenant_id, source_id, document_id, position);
    create index svc_ai_block_document on svc_ai_block (tenant_id, document_id);
  `,
}
