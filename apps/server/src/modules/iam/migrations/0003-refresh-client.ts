import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Who spent the last refresh token. A session from before has no such client, so its spent token is not repeated. */
export const refreshClientMigration: Migration = {
  id: 'iam-0003-refresh-client',
  sql: `
    alter table iam_session add column rotated_ip text;
    alter table iam_session add column rotated_user_agent text;
  `,
}
