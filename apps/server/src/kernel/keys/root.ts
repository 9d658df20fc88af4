/**
 * The root of the installation's keys (hashes of API keys, pepper, cursors). At first that is the
 * key-encryption key itself; when that is replaced, the root is kept, wrapped under the new one, because the hashes made
 * with it cannot be made again. Tested in administration.test.ts.
 */

import type { Random } from '../crypto/random.ts'
import { createKeyWrap, type KeyWrap } from '../crypto/wrapping.ts'
import { asOwner } from '../db/owner.ts'
import type { Driver, SystemTx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'

const stateName = 'crypto.root'
const wrapKind = 'platform_root'

interface Keys {
  readonly kek: Uint8Array
  readonly nextKek: Uint8Array | null
  readonly random: Pick<Random, 'bytes'>
}

/** After the migrations. @throws Error when it was wrapped under another key-encryption key */
export async function readRoot(driver: Driver, { kek, nextKek, random }: Keys): Promise<Uint8Array> {
  const [row] = await asOwner(driver, (run) => run(sql`select value from platform_state where name = ${stateName}`))
  const value = row?.value
  if (typeof value !== 'object' || value === null || !('wrapped' in value)) return kek
  const wrap = createKeyWrap(kek, random, nextKek)
  return wrap.unwrap(wrapKind, stateName, Buffer.from(String(value.wrapped), 'base64'))
}

/** Keeps the root under the key that wraps now. */
export async function keepRoot(tx: SystemTx, wrap: KeyWrap, root: Uint8Array): Promise<void> {
  const wrapped = Buffer.from(wrap.wrap(wrapKind, stateName, root)).toString('base64')
  await tx.execute(sql`
    insert into platform_state (name, value) values (${stateName}, ${json({ wrapped })})
    on conflict (name) do update set value = excluded.value`)
}
