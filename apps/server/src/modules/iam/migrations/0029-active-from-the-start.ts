import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Accounts that were active when they were made never became so, and looked like those whose invitation nobody took. Of
 * those that are deactivated today only directories' are told from invited ones.
 */
export const activeFromTheStartMigration: Migration = {
  id: 'iam-0029-active-from-the-start',
  sql: `
    alter table iam_user no force row level security;
    update iam_user set active_since = created_at
    where active_since is null
      and (status in ('active', 'suspended', 'locked') or (status = 'deactivated' and managed_by = 'scim'));
  `,
}
