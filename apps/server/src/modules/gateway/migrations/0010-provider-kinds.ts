import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The program defines the existing kinds; the table only constrains the format of a kind. */
export const providerKindsMigration: Migration = {
  id: 'gateway-0010-provider-kinds',
  sql: `
    alter table gateway_provider
      drop constraint gateway_provider_kind_check,
      add constraint gateway_provider_kind check (kind ~ '^[a-z][a-z0-9_]{0,31}$');
  `,
}
