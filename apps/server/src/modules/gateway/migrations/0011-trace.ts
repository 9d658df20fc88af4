import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Providers that receive the trace of a call: only the operator's own. */
export const traceMigration: Migration = {
  id: 'gateway-0011-trace',
  sql: `
    alter table gateway_provider
      add column continue_trace boolean not null default false;
  `,
}
