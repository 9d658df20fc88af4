import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Reviews that come round by themselves, and whether reviewers were reminded. */
export const reviewRoundsMigration: Migration = {
  id: 'iam-0020-review-rounds',
  sql: `
    alter table iam_access_review add column recurring boolean not null default false;
    alter table iam_access_review add column reminded_at timestamptz(3);
  `,
}
