import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** When the provider last asked the person, which may be long before they came back from it. */
export const providerAuthTimeMigration: Migration = {
  id: 'iam-0018-provider-auth-time',
  sql: `
    alter table iam_sso_flow add column auth_time timestamptz(3);
  `,
}
