import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Logs that were read, AI services found in them with their use by user and day, and the tenants' catalog entries. */
export const shadowAiMigration: Migration = {
  id: 'aegis-0030-shadow-ai',
  sql: `
    create table aegis_shadow_ai_ingestion (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      format text not null,
      source text,
      sha256 text not null,
      bytes bigint not null,
      lines_total bigint not null,
      lines_parsed bigint not null,
      lines_failed bigint not null,
      failed_samples text[] not null,
      matched bigint not null,
      services_new int not null,
      period_from timestamptz(3),
      period_to timestamptz(3),
      attributed_ratio double precision,
      primary key (tenant_id, id),
      constraint aegis_shadow_ai_ingestion_sha256 unique (tenant_id, sha256)
    );

    create table aegis_shadow_ai_service (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      key text not null,
      type text not null check (type in ('ai_service', 'mcp_server')),
      catalog_slug text,
      name text not null,
      hosts_seen text[] not null,
      first_seen timestamptz(3) not null,
      last_seen timestamptz(3) not null,
      users int not null default 0,
      departments text[] not null default '{}',
      requests bigint not null default 0,
      bytes_up bigint not null default 0,
      bytes_down bigint not null default 0,
      evidence_sources text[] not null,
      inherent double precision not null default 0,
      exposure double precision not null default 0,
      risk_score double precision not null default 0,
      risk_reasons jsonb not null default '[]',
      status text not null check (status in ('discovered', 'under_review', 'sanctioned', 'tolerated', 'banned')),
      decision jsonb,
      tolerated_until timestamptz(3),
      owner_user_id uuid,
      primary key (tenant_id, id),
      constraint aegis_shadow_ai_service_key unique (tenant_id, key)
    );
    create index aegis_shadow_ai_service_created_at on aegis_shadow_ai_service (tenant_id, created_at, id);
    create index aegis_shadow_ai_service_last_seen on aegis_shadow_ai_service (tenant_id, last_seen, id);
    create index aegis_shadow_ai_service_risk_score on aegis_shadow_ai_service (tenant_id, risk_score, id);
    create index aegis_shadow_ai_service_tolerated on aegis_shadow_ai_service (tolerated_until)
      where status = 'tolerated';

    create table aegis_shadow_ai_use (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      service_id uuid not null,
      day int not null,
      user_key text not null,
      user_id uuid,
      user_name text,
      department text,
      requests bigint not null,
      bytes_up bigint not null,
      bytes_down bigint not null,
      primary key (tenant_id, service_id, day, user_key),
      foreign key (tenant_id, service_id) references aegis_shadow_ai_service (tenant_id, id) on delete cascade
    );
    create index aegis_shadow_ai_use_user on aegis_shadow_ai_use (tenant_id, user_id) where user_id is not null;
    create index aegis_shadow_ai_use_day on aegis_shadow_ai_use (day);

    create table aegis_catalog_entry (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      slug text not null,
      name text not null,
      vendor text not null,
      vendor_country text,
      category text not null,
      kind text,
      hosts text[] not null,
      terms_url text,
      facts jsonb not null,
      primary key (tenant_id, id),
      constraint aegis_catalog_entry_slug unique (tenant_id, slug)
    );
  `,
}
