import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Which connection a directory's key belongs to. The rows of keys outlive connections, so nothing refers. */
export const directoryConnectionsMigration: Migration = {
  id: 'iam-0025-directory-connections',
  sql: `
    alter table iam_api_key add column sso_connection_id uuid check (sso_connection_id is null or kind = 'scim');
  `,
}
