import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Accounts created as active had no `active_since` and looked like those whose invitation was never accepted. Among
 * accounts deactivated today, only those of directories can be told apart from invited ones.
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
