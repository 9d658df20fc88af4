import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `version int not null default 1, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

export const identityMigration: Migration = {
  id: 'iam-0001-identity',
  sql: `
    create table iam_tenant (
      id uuid primary key,
      parent_id uuid references iam_tenant (id),
      path uuid[] not null,
      name text not null,
      slug text not null constraint iam_tenant_slug unique,
      status text not null check (status in ('active', 'suspended', 'pending_deletion', 'deleted')),
      region text,
      settings jsonb not null,
      quotas jsonb not null,
      is_demo boolean not null default false,
      ${stamps},
      check (path[cardinality(path)] = id and cardinality(path) <= 5)
    );
    create index iam_tenant_created_at on iam_tenant (created_at, id);
    create index iam_tenant_parent on iam_tenant (parent_id);
    create index iam_tenant_path on iam_tenant using gin (path);

    create table iam_directory (
      kind text not null check (kind in ('email', 'api_key', 'invitation')),
      digest text not null,
      home uuid not null,
      subject uuid not null,
      last_used_at timestamptz(3),
      primary key (kind, digest, home)
    );

    create table iam_login_guard (
      digest text primary key,
      failures jsonb not null default '[]',
      consecutive int not null default 0,
      blocked_until timestamptz(3),
      updated_at timestamptz(3) not null
    );
    create index iam_login_guard_updated_at on iam_login_guard (updated_at);

    create table iam_setup (
      id text primary key check (id = 'first_run'),
      token_sha256 text,
      token_expires_at timestamptz(3),
      completed_at timestamptz(3)
    );

    create table iam_user (
      ${tenantId},
      id uuid not null,
      type text not null check (type in ('human', 'service')),
      email text,
      email_key text,
      display_name text,
      status text not null check (status in ('invited', 'active', 'suspended', 'locked', 'deactivated')),
      status_reason text,
      locale text,
      time_zone text,
      department text,
      manager_id uuid,
      expires_at timestamptz(3),
      password_hash text,
      password_changed_at timestamptz(3),
      must_change_password boolean not null default false,
      invited_by uuid,
      invited_by_tenant uuid,
      invitation_expires_at timestamptz(3),
      last_login_at timestamptz(3),
      last_active_at timestamptz(3),
      ${stamps},
      primary key (tenant_id, id),
      constraint iam_user_email unique (tenant_id, email_key),
      foreign key (tenant_id, manager_id) references iam_user (tenant_id, id),
      check ((type = 'service') = (email is null)),
      check ((email is null) = (email_key is null)),
      check (type = 'human' or password_hash is null)
    );
    create index iam_user_created_at on iam_user (tenant_id, created_at, id);
    create index iam_user_email_prefix on iam_user (tenant_id, email_key text_pattern_ops);
    create index iam_user_name_prefix on iam_user (tenant_id, lower(display_name) text_pattern_ops);
    create index iam_user_manager on iam_user (tenant_id, manager_id) where manager_id is not null;

    create table iam_role (
      ${tenantId},
      id uuid not null,
      name text not null,
      name_key text not null,
      description text,
      permissions text[] not null,
      builtin text,
      ${stamps},
      primary key (tenant_id, id),
      constraint iam_role_name unique (tenant_id, name_key)
    );
    create index iam_role_created_at on iam_role (tenant_id, created_at, id);

    create table iam_user_role (
      ${tenantId},
      user_id uuid not null,
      role_id uuid not null,
      position int not null,
      granted_by uuid,
      granted_at timestamptz(3) not null,
      primary key (tenant_id, user_id, role_id),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade,
      foreign key (tenant_id, role_id) references iam_role (tenant_id, id)
    );
    create index iam_user_role_role on iam_user_role (tenant_id, role_id);
  `,
}
