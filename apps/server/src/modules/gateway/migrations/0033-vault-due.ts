import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The scheduler looks for tenants with expired values, and must not read the column of the keys for that. */
export const vaultDueMigration: Migration = {
  id: 'gateway-0033-vault-due',
  sql: `
    drop index gateway_vault_expires_at;
    drop index gateway_vault_shredded_at;
    create index gateway_vault_expires_at on gateway_vault (tenant_id, expires_at) where shredded_at is null;
    create index gateway_vault_shredded_at on gateway_vault (tenant_id, shredded_at) where shredded_at is not null;`,
}
