import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Who set what somebody else signs in with. Of accounts made before nobody is known. */
export const credentialSettersMigration: Migration = {
  id: 'iam-0031-credential-setters',
  sql: `
    alter table iam_user
      add column credentials_set_by uuid,
      add column credentials_set_at timestamptz(3);
  `,
}
