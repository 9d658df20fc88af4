import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const promptRunsMigration: Migration = {
  id: 'trust-0003-prompt-runs',
  sql: `
    alter table trust_state add prompt_run_at timestamptz(3);
  `,
}
