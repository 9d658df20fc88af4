import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Every change takes the head's row, so revisions are given in the order of commits: an instance that has read up to one
 * has missed none before it. A value that was taken away stays as a row, for the same reason.
 */
export const settingsMigration: Migration = {
  id: 'admin-0001-settings',
  sql: `
    create table admin_config_head (
      scope text primary key,
      revision int not null
    );
    insert into admin_config_head (scope, revision) values ('all', 0);
    create table admin_config_node (
      name text primary key,
      revision int not null,
      seen_at timestamptz(3) not null
    );
    create table admin_setting (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      key text not null,
      is_set boolean not null,
      value jsonb,
      sealed bytea,
      digest text,
      revision int not null,
      updated_by uuid,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, key)
    );
    create index admin_setting_revision on admin_setting (revision);
    create table admin_config_change (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      scope text not null check (scope in ('platform', 'tenant')),
      revision int not null,
      comment text not null,
      author uuid not null,
      origin text not null check (origin in ('api', 'rollback')),
      keys text[] not null,
      entries jsonb not null,
      sealed_before jsonb not null,
      rolled_back_by uuid,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create unique index admin_config_change_revision on admin_config_change (tenant_id, revision);
    create index admin_config_change_created_at on admin_config_change (tenant_id, created_at, id);
  `,
}
