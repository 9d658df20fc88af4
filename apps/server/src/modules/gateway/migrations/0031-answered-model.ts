import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Which model gave an answer, in the words of its provider; that may be another than the one that was asked. */
export const answeredModelMigration: Migration = {
  id: 'gateway-0031-answered-model',
  sql: `alter table gateway_request add column answered_model text;`,
}
