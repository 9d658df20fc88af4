import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Time of a tenant's last purge: the answer to a call that began before must not be stored afterwards. */
export const cachePurgeMigration: Migration = {
  id: 'gateway-0021-cache-purge',
  sql: `
    create table gateway_cache_purge (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      purged_at timestamptz(3) not null,
      primary key (tenant_id)
    );
  `,
}
