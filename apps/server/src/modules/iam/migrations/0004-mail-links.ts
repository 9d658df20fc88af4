import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Links sent by mail: the purpose and expiry of each; the secret is in the directory, as a digest. */
export const mailLinksMigration: Migration = {
  id: 'iam-0004-mail-links',
  sql: `
    alter table iam_directory drop constraint iam_directory_kind_check;
    alter table iam_directory add constraint iam_directory_kind_check
      check (kind in ('email', 'api_key', 'invitation', 'mail_link', 'passkey'));

    create table iam_mail_link (
      ${tenantId},
      id uuid not null,
      user_id uuid not null,
      purpose text not null check (purpose in ('password_reset', 'email_change')),
      email text not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint iam_mail_link_purpose unique (tenant_id, user_id, purpose),
      foreign key (tenant_id, user_id) references iam_user (tenant_id, id) on delete cascade
    );
  `,
}
