import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Decision on a running call, its tags and its parent; a lost call can be found by these like any other. */
export const intentDecisionMigration: Migration = {
  id: 'gateway-0025-intent-decision',
  sql: `
    alter table gateway_request_intent
      add column decision text not null default 'allowed'
        check (decision in ('allowed', 'flagged', 'redacted', 'blocked')),
      add column tags text[] not null default '{}',
      add column parent_request_id uuid;
  `,
}
