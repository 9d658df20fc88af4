import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** People deactivated by a directory while suspended: reactivation by the directory does not lift the suspension. */
export const switchedOffSuspendedMigration: Migration = {
  id: 'iam-0028-switched-off-suspended',
  sql: `
    alter table iam_user add column was_suspended boolean not null default false;
  `,
}
