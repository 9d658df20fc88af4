import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Observed attempts by technique and hour. */
export const attemptsMigration: Migration = {
  id: 'risk-0003-attempts',
  sql: `
    create table risk_attempt (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      technique text not null,
      hour timestamptz(3) not null,
      events int not null check (events > 0),
      primary key (tenant_id, technique, hour)
    );
  `,
}
