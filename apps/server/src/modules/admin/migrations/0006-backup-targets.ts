import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const backupTargetsMigration: Migration = {
  id: 'admin-0006-backup-targets',
  sql: `
    alter table admin_backup drop constraint admin_backup_target_check;
    alter table admin_backup add constraint admin_backup_target_check check (target in ('local', 's3'));
    create index admin_backup_kind on admin_backup (kind, created_at);`,
}
