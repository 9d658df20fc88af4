import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const flagsMigration: Migration = {
  id: 'admin-0002-flags',
  sql: `
    create table admin_flag (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      key text not null,
      status text not null check (status in ('draft', 'enabled', 'disabled', 'archived')),
      value_type text not null check (value_type in ('boolean', 'string', 'number', 'object')),
      variants jsonb not null,
      default_variant text not null,
      off_variant text not null,
      rules jsonb not null,
      prerequisites jsonb not null,
      overrides jsonb not null,
      hash_mode text not null check (hash_mode in ('fine', 'unleash', 'flagd')),
      name text,
      description text,
      owner text,
      tags text[] not null,
      schedule jsonb not null,
      client_exposed boolean not null,
      expires_at timestamptz(3),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create unique index admin_flag_key on admin_flag (tenant_id, key);
    create index admin_flag_created_at on admin_flag (tenant_id, created_at, id);
    create index admin_flag_updated_at on admin_flag (tenant_id, updated_at, id);
    create index admin_flag_scheduled on admin_flag (tenant_id) where schedule <> '[]'::jsonb;
    create table admin_flag_exposure (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      flag_id uuid not null,
      variant text not null,
      day date not null,
      evaluations bigint not null,
      last_at timestamptz(3) not null,
      primary key (tenant_id, flag_id, variant, day),
      foreign key (tenant_id, flag_id) references admin_flag (tenant_id, id) on delete cascade
    );
  `,
}
