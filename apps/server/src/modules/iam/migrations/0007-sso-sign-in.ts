import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const ofConnection = `foreign key (tenant_id, connection_id) references iam_sso_connection (tenant_id, id) on delete cascade`

export const ssoSignInMigration: Migration = {
  id: 'iam-0007-sso-sign-in',
  sql: `
    create table iam_sso_identity (
      ${tenantId},
      connection_id uuid not null,
      subject text not null,
      user_id uuid not null,
      created_at timestamptz(3) not null,
      last_login_at timestamptz(3) not null,
      primary key (tenant_id, connection_id, subject),
      ${ofConnection},
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );
    create index iam_sso_identity_user on iam_sso_identity (tenant_id, user_id);

    create table iam_sso_flow (
      ${tenantId},
      id uuid not null,
      connection_id uuid not null,
      request_digest text not null,
      sealed bytea,
      code_challenge text not null,
      expires_at timestamptz(3) not null,
      taken_at timestamptz(3),
      user_id uuid,
      subject text,
      idp_sid text,
      amr text[] not null default '{}',
      acr text,
      code_digest text,
      code_expires_at timestamptz(3),
      exchanged_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_sso_flow_request unique (tenant_id, request_digest),
      constraint iam_sso_flow_code unique (tenant_id, code_digest),
      ${ofConnection}
    );
    create index iam_sso_flow_expires_at on iam_sso_flow (tenant_id, expires_at);

    create table iam_sso_session (
      ${tenantId},
      session_id uuid not null,
      connection_id uuid not null,
      subject text not null,
      idp_sid text,
      primary key (tenant_id, session_id),
      foreign key (tenant_id, session_id) references iam_session (tenant_id, id) on delete cascade,
      ${ofConnection}
    );
    create index iam_sso_session_subject on iam_sso_session (tenant_id, connection_id, subject);

    create table iam_sso_logout_token (
      ${tenantId},
      connection_id uuid not null,
      jti text not null,
      expires_at timestamptz(3) not null,
      primary key (tenant_id, connection_id, jti),
      ${ofConnection}
    );
    create index iam_sso_logout_token_expires_at on iam_sso_logout_token (tenant_id, expires_at);
  `,
}
