import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Years that an analysis looks ahead. */
export const horizonMigration: Migration = {
  id: 'risk-0006-horizon',
  sql: `
    alter table risk_analysis add column horizon_years int not null default 1 check (horizon_years between 1 and 5);
  `,
}
