import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** What a tenant says that a model can or cannot do, where that is not what is shipped. */
export const modelAbilitiesMigration: Migration = {
  id: 'gateway-0026-model-abilities',
  sql: `alter table gateway_model add column capabilities jsonb not null default '{}';`,
}
