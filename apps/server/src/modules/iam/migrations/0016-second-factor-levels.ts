import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Levels of a provider that an administrator counts as two factors. */
export const secondFactorLevelsMigration: Migration = {
  id: 'iam-0016-second-factor-levels',
  sql: `
    alter table iam_sso_connection add column second_factor_acr text[] not null default '{}';
  `,
}
