import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Accounts and groups that a directory keeps. */
export const provisioningMigration: Migration = {
  id: 'iam-0008-provisioning',
  sql: `
    alter table iam_user add column managed_by text not null default 'local' check (managed_by in ('local', 'scim', 'sso'));
    alter table iam_user add column external_id text;
    create index iam_user_external_id on iam_user (tenant_id, external_id) where external_id is not null;

    alter table iam_role add column assignable_by_scim boolean not null default false;
    alter table iam_role add constraint iam_role_not_by_scim
      check (not assignable_by_scim or builtin is distinct from 'super_admin');
    alter table iam_user_role add column source text not null default 'direct' check (source in ('direct', 'scim', 'sso'));
    alter table iam_api_key add column kind text not null default 'api' check (kind in ('api', 'scim'));

    create table iam_scim_user (
      ${tenantId},
      id uuid not null,
      user_name_key text not null,
      profile jsonb not null,
      removed_at timestamptz(3),
      primary key (tenant_id, id),
      constraint iam_scim_user_name unique (tenant_id, user_name_key),
      foreign key (tenant_id, id) references iam_user (tenant_id, id) on delete cascade
    );

    create table iam_group (
      ${tenantId},
      id uuid not null,
      display_name text not null,
      display_name_key text not null,
      external_id text,
      role_id uuid,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_group_name unique (tenant_id, display_name_key)
    );
    create index iam_group_role on iam_group (tenant_id, role_id) where role_id is not null;

    create table iam_group_member (
      ${tenantId},
      group_id uuid not null,
      user_id uuid not null,
      added_at timestamptz(3) not null,
      primary key (tenant_id, group_id, user_id),
      foreign key (tenant_id, group_id) references iam_group (tenant_id, id) on delete cascade,
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );
    create index iam_group_member_user on iam_group_member (tenant_id, user_id);
  `,
}
