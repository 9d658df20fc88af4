import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Lengths of erased identifiers: texts of a restored backup are compared by keyed hash only where the length fits. */
export const erasureLengthsMigration: Migration = {
  id: 'data-gov-0005-erasure-lengths',
  sql: `alter table data_gov_erasure add column lengths int[] not null default '{}';`,
}
