import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** When the alert of an overdue review was opened, and the way from a user to the agents of theirs. */
export const agentReviewsMigration: Migration = {
  id: 'aegis-0025-agent-reviews',
  sql: `
    alter table aegis_agent add column review_told_at timestamptz(3);
    create index aegis_agent_next_review_at on aegis_agent (tenant_id, next_review_at) where next_review_at is not null;
    create index aegis_agent_owner_user_id on aegis_agent (tenant_id, owner_user_id);
  `,
}
