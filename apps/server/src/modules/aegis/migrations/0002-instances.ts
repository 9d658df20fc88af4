import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** `enforced_at` is the database's time, because instances measure against it and their clocks differ. */
export const instancesMigration: Migration = {
  id: 'aegis-0002-instances',
  sql: `
    create table aegis_instance (
      name text primary key,
      seen_at timestamptz(3) not null
    );
    alter table aegis_kill_switch add column enforced_at timestamptz(3) not null default clock_timestamp();
    alter table aegis_kill_switch add column instances jsonb not null default '{}';
  `,
}
