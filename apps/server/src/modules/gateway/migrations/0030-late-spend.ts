import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Cost of a call whose outcome arrived after its hold was closed: a separate entry beside the one it corrects. */
export const lateSpendMigration: Migration = {
  id: 'gateway-0030-late-spend',
  sql: `
    alter table gateway_budget_settled add column estimated boolean not null default false;
    alter table gateway_budget_spend
      drop constraint gateway_budget_spend_source_check,
      add constraint gateway_budget_spend_source_check check (source in ('call', 'sweep', 'late', 'adjustment'));
  `,
}
