import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The tenant's own limits at a provider, and the terms agreed with its vendor. */
export const providerTermsMigration: Migration = {
  id: 'gateway-0013-provider-terms',
  sql: `
    alter table gateway_provider
      add column limits jsonb not null default '{"max_concurrency": null, "rpm": null, "tpm": null}',
      add column terms jsonb not null default '{"training_opt_out": null, "retention_days": null, "reviewed_at": null}';
  `,
}
