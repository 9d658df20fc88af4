import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Who answers for what a role gives. Roles of before are nobody's. */
export const roleOwnersMigration: Migration = {
  id: 'iam-0023-role-owners',
  sql: `
    alter table iam_role add column owner_id uuid;
  `,
}
