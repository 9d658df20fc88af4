import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Whom a caller named; who answered, or would have, stands beside it. */
export const requestedProviderMigration: Migration = {
  id: 'gateway-0023-requested-provider',
  sql: `
    alter table gateway_request add column requested_provider text;
  `,
}
