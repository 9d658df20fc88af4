import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The country a session was opened in; null for existing sessions, and without a file of countries. */
export const sessionCountriesMigration: Migration = {
  id: 'iam-0026-session-countries',
  sql: `
    alter table iam_session add column ip_country text check (ip_country ~ '^[A-Z]{2}$');
  `,
}
