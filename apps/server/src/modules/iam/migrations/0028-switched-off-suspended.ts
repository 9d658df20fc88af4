import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Whom a directory switched off while they were suspended: it does not lift by switching on what it did not impose. */
export const switchedOffSuspendedMigration: Migration = {
  id: 'iam-0028-switched-off-suspended',
  sql: `
    alter table iam_user add column was_suspended boolean not null default false;
  `,
}
