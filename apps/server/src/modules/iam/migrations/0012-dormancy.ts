import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** When an account was last let in, and when its owner was warned that nobody uses it. */
export const dormancyMigration: Migration = {
  id: 'iam-0012-dormancy',
  sql: `
    alter table iam_user add column active_since timestamptz(3);
    alter table iam_user add column dormant_warned_at timestamptz(3);
  `,
}
