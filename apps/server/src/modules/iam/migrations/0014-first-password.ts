import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Until when a password that an administrator chose lets its owner in to choose their own. */
export const firstPasswordMigration: Migration = {
  id: 'iam-0014-first-password',
  sql: `alter table iam_user add column password_expires_at timestamptz(3);`,
}
