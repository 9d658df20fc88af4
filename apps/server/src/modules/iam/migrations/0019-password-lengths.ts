import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Whether a password is too short to open the account by itself, should the second factor beside it go. */
export const passwordLengthsMigration: Migration = {
  id: 'iam-0019-password-lengths',
  sql: `alter table iam_user add column password_needs_factor boolean not null default false;`,
}
