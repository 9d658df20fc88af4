/**
 * Computes the settings of a rollback: the state as it was before a change-set, which undoes that one and all later
 * ones of its scope. Tested in config.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type ConfigChangeRow, configChanges } from './tables.ts'

export interface PlannedRollback {
  /** Null takes the value away. */
  readonly values: Readonly<Record<string, unknown>>
  /** Secrets as they were stored, with their digests. */
  readonly sealed: ReadonlyMap<string, { readonly sealed: Uint8Array; readonly digest: string }>
  /** Ids of the changes undone that no rollback had undone before. */
  readonly undone: readonly string[]
}

/** @throws API-013 for a change that is not of this scope */
export async function plannedRollback(tx: Tx, changeId: string): Promise<PlannedRollback> {
  const first = await configChanges.need(tx, changeId)
  const changes = await tx.query(
    sql<ConfigChangeRow>`
      select ${configChanges.columns} from admin_config_change where revision >= ${first.revision} order by revision`,
  )
  const values: Record<string, unknown> = {}
  const sealed = new Map<string, { readonly sealed: Uint8Array; readonly digest: string }>()
  for (const { entries, sealed_before: kept } of changes) {
    for (const { key, secret, before } of entries) {
      // The earliest change of a setting knows what was there before all of them.
      if (Object.hasOwn(values, key)) continue
      const text = kept[key]
      values[key] = secret ? null : before
      if (text !== undefined) sealed.set(key, { sealed: Buffer.from(text, 'base64'), digest: digestIn(before) })
    }
  }
  return { values, sealed, undone: changes.filter((row) => row.rolled_back_by === null).map((row) => row.id) }
}

function digestIn(side: unknown): string {
  return typeof side === 'object' && side !== null && 'digest' in side ? String(side.digest) : ''
}
