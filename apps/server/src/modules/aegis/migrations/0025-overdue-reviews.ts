import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Agents by the time of their next review, for the job that tells of overdue ones. */
export const overdueReviewsMigration: Migration = {
  id: 'aegis-0025-overdue-reviews',
  sql: `
    create index aegis_agent_next_review_at on aegis_agent (tenant_id, next_review_at) where next_review_at is not null;
  `,
}
