import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Kinds of findings of a call that did not fit into its hundred rows; counts and verdicts read them too. */
export const unshownFindingsMigration: Migration = {
  id: 'gateway-0028-unshown-findings',
  sql: `alter table gateway_request add column unshown jsonb;`,
}
