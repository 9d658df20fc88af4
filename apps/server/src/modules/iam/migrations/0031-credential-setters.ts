import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The user who set another person's credential. Unknown for existing accounts. */
export const credentialSettersMigration: Migration = {
  id: 'iam-0031-credential-setters',
  sql: `
    alter table iam_user
      add column credentials_set_by uuid,
      add column credentials_set_at timestamptz(3);
  `,
}
