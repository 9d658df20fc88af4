import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const explanationMigration: Migration = {
  id: 'gateway-0002-explanation',
  sql: `
    alter table gateway_request add column explanation jsonb;
  `,
}
