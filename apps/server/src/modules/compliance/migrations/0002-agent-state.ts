import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The registration of an agent as it was classified, so that a material change is seen. */
export const agentStateMigration: Migration = {
  id: 'compliance-0004-agent-state',
  sql: `alter table compliance_assessment add column agent_sha256 text;`,
}
