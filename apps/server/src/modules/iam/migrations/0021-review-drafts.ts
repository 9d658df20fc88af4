import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Reviews that are prepared before they take down who has what. */
export const reviewDraftsMigration: Migration = {
  id: 'iam-0021-review-drafts',
  sql: `
    alter table iam_access_review drop constraint iam_access_review_status_check;
    alter table iam_access_review add constraint iam_access_review_status_check
      check (status in ('draft', 'open', 'closed', 'cancelled'));
  `,
}
