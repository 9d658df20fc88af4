import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { made, tenant } from './columns.ts'

/** Vectors of chunks, sealed like their texts, the role of the model that makes them, and sources whose facts are old. */
export const vectorsMigration: Migration = {
  id: 'svc-ai-0004-vectors',
  sql: `
    create table svc_ai_vector (
      ${tenant}, ${made},
      source_id uuid not null,
      generation uuid not null,
      sealed bytea not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, source_id) references svc_ai_source (tenant_id, id) on delete cascade
    );
    create index svc_ai_vector_source on svc_ai_vector (tenant_id, source_id, generation, id);
    create index svc_ai_source_refresh on svc_ai_source (tenant_id, last_sync_at) where kind = 'platform';
    alter table svc_ai_source
      add column embedding_model text,
      add column embedding_error text,
      add column embedded_chunks int not null default 0,
      add column vector_generation uuid;
    alter table svc_ai_binding
      drop constraint svc_ai_binding_role_check,
      add constraint svc_ai_binding_role_check check (role in ('chat', 'embedding'));
  `,
}
