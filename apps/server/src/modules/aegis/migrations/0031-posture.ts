import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The posture of a tenant at each of its changes. */
export const postureMigration: Migration = {
  id: 'aegis-0031-posture',
  sql: `
    create table aegis_posture (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      score double precision not null,
      previous double precision,
      confidence double precision not null,
      components jsonb not null,
      caps jsonb not null,
      primary key (tenant_id, id)
    );
    create index aegis_posture_created_at on aegis_posture (tenant_id, created_at, id);
  `,
}
