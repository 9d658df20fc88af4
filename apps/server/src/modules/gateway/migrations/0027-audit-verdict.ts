import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Known faults of the audit chain until they are explained, and the number of calls with an entry in it. */
export const auditVerdictMigration: Migration = {
  id: 'gateway-0027-audit-verdict',
  sql: `
    alter table gateway_audit_check
      add column broken_at timestamptz(3),
      add column bad_seq bigint,
      add column needs_note boolean not null default false,
      add column counted_at timestamptz(3),
      add column calls bigint not null default 0,
      add column audited bigint not null default 0,
      add column lost bigint not null default 0;
  `,
}
