import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Session of the person who called; an intent stores the same caller data as the outcome, which may never come. */
export const sessionMigration: Migration = {
  id: 'gateway-0022-session',
  sql: `
    alter table gateway_request add column session_id text;
    create index gateway_request_by_session on gateway_request (tenant_id, session_id, created_at, id)
      where session_id is not null;
    alter table gateway_request_intent
      add column agent_id text,
      add column session_id text;
  `,
}
