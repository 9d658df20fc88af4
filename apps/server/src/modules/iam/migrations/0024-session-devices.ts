import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Which browser a session was opened from; of sessions of before nobody knows. */
export const sessionDevicesMigration: Migration = {
  id: 'iam-0024-session-devices',
  sql: `
    alter table iam_session add column device_id text check (char_length(device_id) <= 64);
  `,
}
