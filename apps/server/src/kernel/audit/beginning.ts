/**
 * Where an audit chain begins. Retention removes whole segments and leaves a signed note of the last entry it took, so
 * that what remains proves as before; without a good signature a removed beginning is a gap like any other. Tested in
 * cut.test.ts.
 */

import { type Sql, sql } from '../db/sql.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { ChainHead } from './chain.ts'
import { openNote } from './note.ts'

/** The last entry that was removed: its place and its hash, which the next one holds. */
export interface Cut extends ChainHead {
  readonly note: string
}

/** Reads as one tenant. */
export type Read = <Row>(statement: Sql<Row>) => Promise<readonly Row[]>

/** The newest cut that is signed; null where nothing was removed. */
export async function readBeginning(
  read: Read,
  keys: Pick<SigningKeys, 'verify'>,
  tenantId: string,
): Promise<Cut | null> {
  for (const { note } of await read(cuts)) {
    const opened = openNote(keys, note, 'cut')
    if (opened !== null && opened.tenantId === tenantId) return { size: opened.size, hash: opened.headHash, note }
  }
  return null
}

const cuts = sql<{ note: string }>`select note from audit_cut order by size desc`
