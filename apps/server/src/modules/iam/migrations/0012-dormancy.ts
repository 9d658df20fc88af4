import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Time of an account's last sign-in, and of the dormancy warning to its owner. */
export const dormancyMigration: Migration = {
  id: 'iam-0012-dormancy',
  sql: `
    alter table iam_user add column active_since timestamptz(3);
    alter table iam_user add column dormant_warned_at timestamptz(3);
  `,
}
