import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Calls that the audit log knows of and the request log does not. */
export const unloggedCallsMigration: Migration = {
  id: 'gateway-0032-unlogged-calls',
  sql: `alter table gateway_audit_check add column unlogged bigint not null default 0;`,
}
