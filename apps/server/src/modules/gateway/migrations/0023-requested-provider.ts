import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Provider named by the caller; the provider that answered, or would have, is stored beside it. */
export const requestedProviderMigration: Migration = {
  id: 'gateway-0023-requested-provider',
  sql: `
    alter table gateway_request add column requested_provider text;
  `,
}
