import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const secondFactorsMigration: Migration = {
  id: 'iam-0005-second-factors',
  sql: `
    alter table iam_user add column mfa_deadline timestamptz(3);

    alter table iam_session drop constraint iam_session_created_via_check;
    alter table iam_session add constraint iam_session_created_via_check
      check (created_via in ('password', 'passkey') or created_via like 'sso:%');

    create table iam_factor (
      ${tenantId},
      id uuid not null,
      user_id uuid not null,
      kind text not null check (kind in ('totp', 'passkey')),
      name text not null,
      status text not null check (status in ('pending', 'active')),
      secret bytea,
      last_step bigint not null default 0,
      drift int not null default 0 check (drift between -1 and 1),
      credential_id text,
      public_key bytea,
      sign_count bigint not null default 0,
      transports text[],
      synced boolean,
      last_used_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_factor_credential unique (tenant_id, credential_id),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade,
      check ((kind = 'totp') = (secret is not null)),
      check ((kind = 'passkey') = (credential_id is not null and public_key is not null))
    );
    create index iam_factor_user on iam_factor (tenant_id, user_id, created_at, id);
    create unique index iam_factor_totp on iam_factor (tenant_id, user_id, status) where kind = 'totp';

    create table iam_recovery_code (
      ${tenantId},
      user_id uuid not null,
      slot int not null check (slot between 0 and 9),
      hash text not null,
      used_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, user_id, slot),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );

    create table iam_used_challenge (
      digest text primary key,
      expires_at timestamptz(3) not null
    );
    create index iam_used_challenge_expires_at on iam_used_challenge (expires_at);
  `,
}
