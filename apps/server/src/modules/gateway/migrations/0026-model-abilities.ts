import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The tenant's statements about a model's capabilities, where they differ from the shipped catalogue. */
export const modelAbilitiesMigration: Migration = {
  id: 'gateway-0026-model-abilities',
  sql: `alter table gateway_model add column capabilities jsonb not null default '{}';`,
}
