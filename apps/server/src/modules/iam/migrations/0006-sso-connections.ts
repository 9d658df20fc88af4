import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const ssoConnectionsMigration: Migration = {
  id: 'iam-0006-sso-connections',
  sql: `
    create table iam_sso_connection (
      ${tenantId},
      id uuid not null,
      name text not null,
      type text not null check (type in ('oidc', 'saml')),
      status text not null check (status in ('draft', 'active', 'disabled')),
      domains jsonb not null,
      oidc jsonb,
      client_secret bytea,
      saml jsonb,
      sp_key bytea,
      sp_certificate text,
      enforced boolean not null default false,
      break_glass_user_ids uuid[] not null default '{}',
      jit_enabled boolean not null default false,
      default_role_ids uuid[] not null default '{}',
      group_mappings jsonb not null default '[]',
      link_policy text not null check (link_policy in ('never', 'verified_domain')),
      required_acr text[] not null default '{}',
      required_amr text[] not null default '{}',
      email_trusted boolean not null default false,
      activated_by uuid,
      activated_by_tenant uuid,
      certificate_expires_at timestamptz(3),
      certificate_warned_at timestamptz(3),
      last_login_at timestamptz(3),
      last_error text,
      last_error_at timestamptz(3),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      check ((type = 'oidc') = (oidc is not null)),
      check ((type = 'saml') = (saml is not null))
    );
    create index iam_sso_connection_created_at on iam_sso_connection (tenant_id, created_at, id);

    create table iam_sso_directory (
      kind text not null check (kind in ('connection', 'domain')),
      name text not null,
      home uuid not null,
      connection_id uuid not null,
      primary key (kind, name)
    );
    create index iam_sso_directory_connection on iam_sso_directory (home, connection_id);
  `,
}
