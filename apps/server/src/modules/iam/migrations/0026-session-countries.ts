import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Where a session was opened; of sessions of before, and without a file of countries, nobody knows. */
export const sessionCountriesMigration: Migration = {
  id: 'iam-0026-session-countries',
  sql: `
    alter table iam_session add column ip_country text check (ip_country ~ '^[A-Z]{2}$');
  `,
}
