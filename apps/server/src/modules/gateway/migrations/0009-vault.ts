import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** A row without its wrapped key says that there were values and that they can no longer be decrypted. */
export const vaultMigration: Migration = {
  id: 'gateway-0009-vault',
  sql: `
    create table gateway_vault (
      ${tenant},
      id uuid not null,
      user_id uuid not null,
      wrapped_key bytea,
      sealed_values jsonb not null,
      expires_at timestamptz(3) not null,
      shredded_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      check ((wrapped_key is null) = (shredded_at is not null))
    );
    create index gateway_vault_expires_at on gateway_vault (tenant_id, expires_at) where wrapped_key is not null;
    create index gateway_vault_shredded_at on gateway_vault (tenant_id, shredded_at) where wrapped_key is null;
  `,
}
