import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** When the vendor of a model advises against it, and when it takes it away, as the tenant has noted. */
export const retiringModelsMigration: Migration = {
  id: 'gateway-0016-retiring-models',
  sql: `
    alter table gateway_model
      add column deprecated_at timestamptz(3),
      add column retires_at timestamptz(3);
  `,
}
