import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Time of the last request with a provider key, so that unused keys can be removed. */
export const keyUseMigration: Migration = {
  id: 'gateway-0020-key-use',
  sql: `
    alter table gateway_provider_secret
      add column last_used_at timestamptz(3);
  `,
}
