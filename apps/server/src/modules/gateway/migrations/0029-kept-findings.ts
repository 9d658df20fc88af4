import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** What was found in a kept answer, without values. Answers of before have none and are not given again: nobody knows. */
export const keptFindingsMigration: Migration = {
  id: 'gateway-0029-kept-findings',
  sql: `alter table gateway_cache_entry add column told jsonb;`,
}
