import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Equal keys are stored once in it, so counting the accounts of a large tenant reads a few hundred small pages. */
export const countedAccountsMigration: Migration = {
  id: 'iam-0022-counted-accounts',
  sql: `
    create index iam_user_tenant on iam_user (tenant_id);
  `,
}
