import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Finds the runs that have not begun, and the next delivery of an integration or of all mails. */
export const queueMigration: Migration = {
  id: 'platform-0005-queue',
  sql: `
    create index platform_run_queued on platform_run (tenant_id, created_at, id) where status = 'queued';
    create index platform_delivery_due on platform_delivery (tenant_id, integration_id, next_attempt_at, created_at, id)
      where status in ('pending', 'delivering', 'retrying');
  `,
}
