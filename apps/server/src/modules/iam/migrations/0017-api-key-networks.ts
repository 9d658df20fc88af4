import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** From where a key was used, so that a new place can be told of. */
export const apiKeyNetworksMigration: Migration = {
  id: 'iam-0017-api-key-networks',
  sql: `
    alter table iam_api_key add column used_networks text[] not null default '{}';
  `,
}
