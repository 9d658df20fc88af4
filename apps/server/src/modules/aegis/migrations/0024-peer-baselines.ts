import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** With whose past an anomaly compares its agent: its own, or its peers' while it has none. */
export const peerBaselinesMigration: Migration = {
  id: 'aegis-0024-peer-baselines',
  sql: `
    alter table aegis_anomaly
      add baseline text not null default 'own' check (baseline in ('own', 'peers'));
  `,
}
