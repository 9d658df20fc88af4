import type { Static } from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { type Maintenance, maintenance } from '../../../kernel/settings/kernel-settings.ts'
import { maintenanceEnded, maintenanceStarted } from '../maintenance/events.ts'
import type { ConfigChangeRow } from './tables.ts'

type Mode = Static<typeof Maintenance>

/** Says in the change's transaction that maintenance was set or taken back. */
export async function announceMaintenance(
  tx: Tx,
  { id, entries }: Pick<ConfigChangeRow, 'id' | 'entries'>,
): Promise<void> {
  const entry = entries.find(({ key }) => key === maintenance.key)
  if (entry === undefined) return
  const after = (entry.after ?? maintenance.default) as Mode
  const before = (entry.before ?? maintenance.default) as Mode
  const { mode, message, starts_at, ends_at } = after
  if (mode !== 'off') await tx.emit(maintenanceStarted, id, { mode, message, starts_at, ends_at })
  else if (before.mode !== 'off') await tx.emit(maintenanceEnded, id, { mode: 'off' })
}
