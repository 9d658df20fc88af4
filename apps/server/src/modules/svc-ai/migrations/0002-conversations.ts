import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { made, stamps, tenant } from './columns.ts'

/** Conversations with their sealed messages and pinned facts, and the model that answers. */
export const conversationsMigration: Migration = {
  id: 'svc-ai-0002-conversations',
  sql: `
    create table svc_ai_conversation (
      ${tenant}, ${stamps},
      user_id uuid not null,
      kind text not null check (kind in ('chat', 'rag')),
      title text not null,
      status text not null check (status in ('active', 'archived')),
      source_ids uuid[] not null,
      strategy text not null check (strategy in ('sliding_window', 'full')),
      window_tokens int not null,
      retention_days int not null,
      expires_at timestamptz(3) not null,
      message_count int not null,
      primary key (tenant_id, id)
    );
    create index svc_ai_conversation_created_at on svc_ai_conversation (tenant_id, created_at, id);
    create index svc_ai_conversation_updated_at on svc_ai_conversation (tenant_id, updated_at, id);
    create index svc_ai_conversation_user on svc_ai_conversation (tenant_id, user_id, created_at);
    create index svc_ai_conversation_expires_at on svc_ai_conversation (tenant_id, expires_at);

    create table svc_ai_message (
      ${tenant}, ${made},
      conversation_id uuid not null,
      user_id uuid not null,
      position int not null,
      role text not null check (role in ('user', 'assistant')),
      gateway_request_id uuid,
      answer_status text check (answer_status in ('answered', 'partial', 'not_found', 'cancelled')),
      groundedness double precision,
      sealed bytea not null,
      primary key (tenant_id, id),
      constraint svc_ai_message_position unique (tenant_id, conversation_id, position),
      foreign key (tenant_id, conversation_id) references svc_ai_conversation (tenant_id, id) on delete cascade
    );
    create index svc_ai_message_user on svc_ai_message (tenant_id, user_id);
    create index svc_ai_message_answered on svc_ai_message (tenant_id, created_at) where answer_status is not null;

    create table svc_ai_pin (
      ${tenant}, ${made},
      conversation_id uuid not null,
      user_id uuid not null,
      sealed bytea not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, conversation_id) references svc_ai_conversation (tenant_id, id) on delete cascade
    );
    create index svc_ai_pin_conversation on svc_ai_pin (tenant_id, conversation_id, created_at);
    create index svc_ai_pin_user on svc_ai_pin (tenant_id, user_id);

    create table svc_ai_binding (
      ${tenant}, ${stamps},
      role text not null check (role in ('chat')),
      provider text,
      model text,
      temperature double precision,
      max_tokens int,
      timeout_ms int,
      probed_at timestamptz(3),
      probe_latency_ms double precision,
      primary key (tenant_id, id),
      constraint svc_ai_binding_role unique (tenant_id, role)
    );
  `,
}
