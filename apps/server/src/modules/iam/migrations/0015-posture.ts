import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Identity posture, a row for each day. */
export const postureMigration: Migration = {
  id: 'iam-0015-posture',
  sql: `
    create table iam_posture (
      ${tenantId},
      day text not null,
      posture jsonb not null,
      measured_at timestamptz(3) not null,
      primary key (tenant_id, day)
    );
  `,
}
