import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The highest class of data a provider may receive; null for any. */
export const providerClearanceMigration: Migration = {
  id: 'gateway-0014-provider-clearance',
  sql: `
    alter table gateway_provider
      add column max_classification text
        check (max_classification in ('public', 'internal', 'confidential', 'restricted'));
  `,
}
