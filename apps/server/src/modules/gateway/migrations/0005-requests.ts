import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/**
 * Content has its own table, because it is removed long before its row. The indexes of rare values are partial: most
 * calls are completed and allowed, and do not pay for them.
 */
export const requestsMigration: Migration = {
  id: 'gateway-0005-requests',
  sql: `
    create table gateway_request_payload (
      ${tenant},
      id uuid not null,
      user_id uuid not null,
      sealed bytea not null,
      words tsvector not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index gateway_request_payload_expires_at on gateway_request_payload (tenant_id, expires_at);
    create index gateway_request_payload_created_at on gateway_request_payload (tenant_id, created_at, id);

    alter table gateway_request
      add column tags text[] not null default '{}',
      add column parent_request_id uuid;
    alter table gateway_request no force row level security;
    insert into gateway_request_payload (tenant_id, id, user_id, sealed, words, created_at, expires_at)
      select tenant_id, id, user_id, payload, ''::tsvector, created_at, finished_at + interval '30 days'
      from gateway_request where payload is not null;
    alter table gateway_request drop column payload;

    drop index gateway_request_by_user;
    create index gateway_request_by_user on gateway_request (tenant_id, user_id, created_at, id);
    create index gateway_request_by_model on gateway_request (tenant_id, model, created_at, id);
    create index gateway_request_by_provider on gateway_request (tenant_id, provider, created_at, id);
    create index gateway_request_by_key on gateway_request (tenant_id, key_id, created_at, id)
      where key_id is not null;
    create index gateway_request_by_agent on gateway_request (tenant_id, agent_id, created_at, id)
      where agent_id is not null;
    create index gateway_request_by_code on gateway_request (tenant_id, error_code, created_at, id)
      where error_code is not null;
    create index gateway_request_by_decision on gateway_request (tenant_id, decision, created_at, id)
      where decision <> 'allowed';
    create index gateway_request_by_status on gateway_request (tenant_id, status, created_at, id)
      where status <> 'completed';
    create index gateway_request_with_patterns on gateway_request (tenant_id, created_at, id)
      where patterns <> '{}';
    create index gateway_request_with_entities on gateway_request (tenant_id, created_at, id)
      where entities <> '{}';
    create index gateway_request_with_tags on gateway_request (tenant_id, created_at, id)
      where tags <> '{}';
    create index gateway_request_slow on gateway_request (tenant_id, created_at, id)
      where (timings ->> 'total_ms')::numeric >= 10000;
    create index gateway_request_costly on gateway_request (tenant_id, created_at, id)
      where (cost ->> 'amount')::numeric >= 0.1;
    create index gateway_request_by_parent on gateway_request (tenant_id, parent_request_id)
      where parent_request_id is not null;

    create table gateway_feedback (
      ${tenant},
      id uuid not null,
      request_id uuid not null,
      user_id uuid not null,
      kind text not null check (kind in ('answer', 'detection')),
      rating double precision,
      verdict text check (verdict in ('true_positive', 'false_positive', 'missed')),
      rule_id text,
      comment text,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, request_id) references gateway_request (tenant_id, id) on delete cascade,
      check ((kind = 'answer') = (rating is not null)),
      check ((kind = 'detection') = (verdict is not null))
    );
    create index gateway_feedback_of_request on gateway_feedback (tenant_id, request_id, created_at, id);
    create index gateway_feedback_of_rules on gateway_feedback (tenant_id, created_at, id)
      where kind = 'detection';
  `,
}
