import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const credentialsMigration: Migration = {
  id: 'iam-0002-credentials',
  sql: `
    create table iam_session (
      ${tenantId},
      id uuid not null,
      user_id uuid not null,
      ip text,
      user_agent text,
      amr text[] not null,
      acr text not null,
      auth_time timestamptz(3) not null,
      created_via text not null check (created_via in ('password')),
      status text not null check (status in ('active', 'revoked')),
      revoked_by uuid,
      revoked_reason text,
      refresh_jti text not null,
      previous_jti text,
      rotated_at timestamptz(3) not null,
      last_seen_at timestamptz(3) not null,
      idle_expires_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );
    create index iam_session_created_at on iam_session (tenant_id, created_at, id);
    create index iam_session_user on iam_session (tenant_id, user_id, created_at, id);
    create index iam_session_expires_at on iam_session (tenant_id, expires_at);

    create table iam_api_key (
      ${tenantId},
      id uuid not null,
      name text not null,
      owner_id uuid not null,
      created_by uuid not null,
      key_id text not null,
      secret_hash text not null,
      scopes text[] not null,
      allowed_cidrs text[] not null,
      rate_limit_per_minute int check (rate_limit_per_minute > 0),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      last_used_ip text,
      replaces_id uuid,
      replaced_by_id uuid,
      revoked_at timestamptz(3),
      revoked_by uuid,
      revoked_reason text,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_api_key_key_id unique (tenant_id, key_id),
      foreign key (tenant_id, owner_id) references iam_user (tenant_id, id)
    );
    create index iam_api_key_created_at on iam_api_key (tenant_id, created_at, id);
    create index iam_api_key_owner on iam_api_key (tenant_id, owner_id, created_at, id);

    create table iam_api_key_day (
      ${tenantId},
      key_id uuid not null,
      day text not null,
      requests int not null,
      primary key (tenant_id, key_id, day),
      foreign key (tenant_id, key_id) references iam_api_key (tenant_id, id) on delete cascade
    );
  `,
}
