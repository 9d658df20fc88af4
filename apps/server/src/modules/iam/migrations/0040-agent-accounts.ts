import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Service accounts of registered agents. */
export const agentAccountsMigration: Migration = {
  id: 'iam-0040-agent-accounts',
  sql: `
    alter table iam_user add column is_agent boolean not null default false
      constraint iam_user_agent_is_service check (not is_agent or type = 'service');
  `,
}
