import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The score of each framework that was told last, so that only a change is an event. */
export const toldScoresMigration: Migration = {
  id: 'compliance-0005-told-scores',
  sql: `alter table compliance_framework add column told_score double precision;`,
}
