import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Trial sign-ins: an administrator sees the outcome, and no session is opened. */
export const ssoTrialsMigration: Migration = {
  id: 'iam-0013-sso-trials',
  sql: `
    alter table iam_sso_flow add column trial_by uuid;
    alter table iam_sso_flow add column trial_by_tenant uuid;
    alter table iam_sso_flow add column trial_done_at timestamptz(3);
  `,
}
