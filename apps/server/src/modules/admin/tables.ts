import type { Table } from '../../kernel/db/table.ts'
import { backups } from './backups/tables.ts'
import { configChanges, configHeads, configNodes, settingRows } from './config/tables.ts'
import { flagExposures, flags } from './flags/tables.ts'
import { licenseDays, licenses } from './licenses/tables.ts'

export const adminTables: readonly Table[] = [
  configHeads,
  configNodes,
  settingRows,
  configChanges,
  flags,
  flagExposures,
  licenses,
  licenseDays,
  backups,
]
