import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The browser a session was opened from; null for existing sessions. */
export const sessionDevicesMigration: Migration = {
  id: 'iam-0024-session-devices',
  sql: `
    alter table iam_session add column device_id text check (char_length(device_id) <= 64);
  `,
}
