import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The client that spent the last refresh token. Older sessions have none, so their spent token is not repeated. */
export const refreshClientMigration: Migration = {
  id: 'iam-0003-refresh-client',
  sql: `
    alter table iam_session add column rotated_ip text;
    alter table iam_session add column rotated_user_agent text;
  `,
}
