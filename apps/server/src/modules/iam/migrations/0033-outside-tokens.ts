import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Tokens of outside issuers that stand for service accounts. */
export const outsideTokensMigration: Migration = {
  id: 'iam-0033-outside-tokens',
  sql: `
    alter table iam_directory drop constraint iam_directory_kind_check;
    alter table iam_directory add constraint iam_directory_kind_check
      check (kind in ('email', 'api_key', 'invitation', 'mail_link', 'passkey', 'outside_token'));

    create table iam_outside_token (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      user_id uuid not null,
      issuer text not null,
      claim text not null check (claim in ('sub', 'azp', 'client_id')),
      value text not null,
      audience text not null,
      created_by uuid not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_outside_token_match unique (tenant_id, issuer, claim, value, audience),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );
    create index iam_outside_token_user on iam_outside_token (tenant_id, user_id);
  `,
}
