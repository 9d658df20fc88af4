import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The owner responsible for the permissions of a role. Existing roles have none. */
export const roleOwnersMigration: Migration = {
  id: 'iam-0023-role-owners',
  sql: `
    alter table iam_role add column owner_id uuid;
  `,
}
