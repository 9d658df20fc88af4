import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Calls and alerts that attempts were counted for. */
export const attemptSourcesMigration: Migration = {
  id: 'risk-0005-attempt-sources',
  sql: `
    create table risk_attempt_source (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      source text not null,
      alias text,
      hits int not null check (hits > 0),
      seen_at timestamptz(3) not null,
      primary key (tenant_id, source)
    );
    create index risk_attempt_source_alias on risk_attempt_source (tenant_id, alias) where alias is not null;
    create index risk_attempt_source_seen on risk_attempt_source (tenant_id, seen_at);
  `,
}
