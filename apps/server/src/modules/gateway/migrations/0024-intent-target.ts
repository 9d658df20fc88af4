import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Requested model and target of a running call; for a lost call, this is the only record of them. */
export const intentTargetMigration: Migration = {
  id: 'gateway-0024-intent-target',
  sql: `
    alter table gateway_request_intent
      add column dialect text not null default 'parapet',
      add column operation text not null default 'chat',
      add column requested_provider text,
      add column route text,
      add column provider text,
      add column model text;
  `,
}
