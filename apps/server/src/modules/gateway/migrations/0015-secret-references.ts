import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** External reference from which a key is read on use, instead of the key itself. */
export const secretReferencesMigration: Migration = {
  id: 'gateway-0015-secret-references',
  sql: `
    alter table gateway_provider_secret
      add column ref text check (length(ref) between 1 and 300);
  `,
}
