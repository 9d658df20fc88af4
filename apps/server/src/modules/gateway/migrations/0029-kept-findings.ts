import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Findings in a kept answer, without values. Older answers have none and are not served again, because their findings
 * are unknown.
 */
export const keptFindingsMigration: Migration = {
  id: 'gateway-0029-kept-findings',
  sql: `alter table gateway_cache_entry add column told jsonb;`,
}
