import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** When a provider was last asked with a key, so that one nobody uses any more can be taken away. */
export const keyUseMigration: Migration = {
  id: 'gateway-0020-key-use',
  sql: `
    alter table gateway_provider_secret
      add column last_used_at timestamptz(3);
  `,
}
