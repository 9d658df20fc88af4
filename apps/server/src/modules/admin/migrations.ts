import type { Migration } from '../../kernel/db/schema/migration.ts'
import { settingsMigration } from './migrations/0001-settings.ts'
import { flagsMigration } from './migrations/0002-flags.ts'
import { licensesMigration } from './migrations/0003-licenses.ts'
import { backupsMigration } from './migrations/0005-backups.ts'
import { backupTargetsMigration } from './migrations/0006-backup-targets.ts'
import { changeOriginsMigration } from './migrations/0007-change-origins.ts'

/** In the order of their numbers. */
export const adminMigrations: readonly Migration[] = [
  settingsMigration,
  flagsMigration,
  licensesMigration,
  backupsMigration,
  backupTargetsMigration,
  changeOriginsMigration,
]
