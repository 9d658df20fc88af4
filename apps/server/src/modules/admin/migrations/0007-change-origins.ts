import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const changeOriginsMigration: Migration = {
  id: 'admin-0007-change-origins',
  sql: `
    alter table admin_config_change drop constraint admin_config_change_origin_check;
    alter table admin_config_change add constraint admin_config_change_origin_check
      check (origin in ('api', 'console', 'rollback'));`,
}
