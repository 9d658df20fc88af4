import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Calls in the audit log that are missing from the request log. */
export const unloggedCallsMigration: Migration = {
  id: 'gateway-0032-unlogged-calls',
  sql: `alter table gateway_audit_check add column unlogged bigint not null default 0;`,
}
