import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Entries are read by key or by context, newest first, and removed by age. */
export const cacheMigration: Migration = {
  id: 'gateway-0007-cache',
  sql: `
    create table gateway_cache_settings (
      ${tenant},
      mode text not null check (mode in ('exact', 'off')),
      scope text not null check (scope in ('tenant', 'role', 'user', 'key')),
      ttl_seconds int not null check (ttl_seconds between 1 and 2592000),
      max_bytes bigint not null check (max_bytes > 0),
      semantic_enabled boolean not null,
      semantic_threshold double precision not null check (semantic_threshold between 0.9 and 1),
      embedding_model text,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id),
      check (embedding_model is not null or not semantic_enabled)
    );

    create table gateway_cache_entry (
      ${tenant},
      id uuid not null,
      call_id uuid not null,
      request_id text not null,
      user_id uuid not null,
      key_id text,
      route text,
      provider text not null,
      model text not null,
      policies text[] not null,
      key text not null,
      context text,
      sealed bytea not null,
      sealed_vector bytea,
      bytes int not null check (bytes >= 0),
      upstream_ms int not null check (upstream_ms >= 0),
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      primary key (tenant_id, id),
      check ((context is null) = (sealed_vector is null))
    );
    create index gateway_cache_entry_key on gateway_cache_entry (tenant_id, key, created_at);
    create index gateway_cache_entry_context on gateway_cache_entry (tenant_id, context, created_at)
      where context is not null;
    create index gateway_cache_entry_created_at on gateway_cache_entry (tenant_id, created_at) include (bytes);
    create index gateway_cache_entry_expires_at on gateway_cache_entry (tenant_id, expires_at);

    alter table gateway_route add column cache jsonb;
  `,
}
