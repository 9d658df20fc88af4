import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Dates on which a model's vendor deprecates and retires it, as noted by the tenant. */
export const retiringModelsMigration: Migration = {
  id: 'gateway-0016-retiring-models',
  sql: `
    alter table gateway_model
      add column deprecated_at timestamptz(3),
      add column retires_at timestamptz(3);
  `,
}
