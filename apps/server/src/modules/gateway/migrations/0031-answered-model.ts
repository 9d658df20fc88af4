import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Model that gave an answer, as named by its provider; it may differ from the requested model. */
export const answeredModelMigration: Migration = {
  id: 'gateway-0031-answered-model',
  sql: `alter table gateway_request add column answered_model text;`,
}
