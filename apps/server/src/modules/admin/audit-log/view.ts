import { holds, type ModuleName, moduleNames, type PermissionSet } from '../../../kernel/access/permissions.ts'
import { type Opening, revealed } from '../../../kernel/audit/personal.ts'
import type { AuditEntryRow } from '../../../kernel/audit/tables.ts'
import type { AuditEntry } from './schemas/audit-log.ts'

/** The place of an entry in its chain. */
export interface SealRow {
  readonly entry_id: string
  readonly seq: number
  readonly prev_hash: string
  readonly hash: string
  readonly sealed_at: string
}

/** First words of actions that are not the name of their module. */
const ownerOf: Readonly<Record<string, ModuleName>> = {
  auth: 'iam',
  kill_switch: 'aegis',
  ...Object.fromEntries(moduleNames.map((name) => [name.replaceAll('-', '_'), name])),
}

export interface StoredEntry {
  readonly row: AuditEntryRow
  readonly seal: SealRow | null
  /** The entry's statements about persons who were not erased. */
  readonly openings: readonly Opening[]
}

/**
 * An entry as its reader may see it: every reader of the log sees the actor and the action; the states before and
 * after are shown only to readers with permission for that module.
 */
export function entryView({ row, seal, openings }: StoredEntry, permissions: PermissionSet): AuditEntry {
  const owner = ownerOf[row.action.split('.')[0] ?? '']
  const has = row.before !== null || row.after !== null
  const withheld = has && owner !== undefined && !holds(permissions, `${owner}:read`)
  const shown = openings.map(({ salt, opened }) => ({ salt, opened: withheld ? aroundValues(opened) : opened }))
  return {
    ...revealed(row, shown),
    ...(withheld ? { before: null, after: null } : {}),
    personal: shown.map(({ salt, opened }) => ({ salt, members: Object.keys(opened) })),
    withheld,
    seq: seal?.seq ?? null,
    prev_hash: seal?.prev_hash ?? null,
    entry_hash: seal?.hash ?? null,
    sealed_at: seal?.sealed_at ?? null,
  }
}

/** Without those inside of `before` and `after`. */
function aroundValues(opened: Opening['opened']): Opening['opened'] {
  return Object.fromEntries(Object.entries(opened).filter(([pointer]) => pointer.lastIndexOf('/') === 0))
}
