/**
 * Peppers of passwords, each with an id that stands beside the hashes made with it. The first is derived from the root
 * and has the id 0; each later one is random and kept wrapped under the key-encryption key. None is ever dropped: a hash
 * cannot be made again before its owner signs in. Tested in peppers.test.ts.
 */

import { platformTenant } from '../access/platform-tenant.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap, type KeyWrap } from '../crypto/wrapping.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import type { ChangeSource } from '../live/changes.ts'
import type { Pepper, Peppers, PlatformKeys } from './port.ts'
import type { RotationRecord } from './signing.ts'

export interface PepperStore extends Peppers {
  /** Reads them and follows other instances. */
  start(): Promise<void>
  stop(): void
  /** New hashes are made with a new one from now on. */
  rotate(record?: Pick<RotationRecord, 'origin' | 'write'>): Promise<void>
}

export interface PepperParts {
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly platformKeys: Pick<PlatformKeys, 'derive'>
  readonly kek: Uint8Array
  readonly nextKek?: Uint8Array | null
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'bytes'>
  readonly changes: Pick<ChangeSource, 'on'>
  /** A reload that failed; those in memory stay in use. */
  readonly failed: (error: unknown) => void
}

export interface StoredPepper {
  readonly id: string
  /** Base64. */
  readonly wrapped: string
  readonly created_at: string
}

export const pepperStateName = 'crypto.peppers'
const wrapKind = 'password_pepper'
const topic = 'crypto.peppers'

export function createPeppers(parts: PepperParts): PepperStore {
  const { db, random, clock } = parts
  const wrap = createKeyWrap(parts.kek, random, parts.nextKek)
  const first: Pepper = { id: '0', key: parts.platformKeys.derive('password-pepper') }
  let known: readonly Pepper[] = [first]
  let stopListening = (): void => undefined

  const reload = async (): Promise<void> => {
    const stored = await db.system('password peppers', readPeppers)
    known = [first, ...stored.map((one) => ({ id: one.id, key: unwrapped(wrap, one) }))]
  }
  const findKnown = (id: string) => known.find((pepper) => pepper.id === id)?.key ?? null

  return {
    start: async () => {
      stopListening = parts.changes.on(topic, () => {
        reload().catch(parts.failed)
      })
      await reload()
    },
    stop: () => stopListening(),
    current: () => known.at(-1) ?? first,
    find: async (id) => {
      // Another instance may have made it a moment ago.
      if (findKnown(id) === null) await reload()
      return findKnown(id)
    },
    rotate: async (record) => {
      const scope = { tenantId: platformTenant, ...(record?.origin === undefined ? {} : { origin: record.origin }) }
      await db.tenant(scope, async (tx) => {
        await tx.lock('password_pepper', 'all')
        const stored = await readPeppers(tx)
        const id = String(stored.length + 1)
        const wrapped = Buffer.from(wrap.wrap(wrapKind, id, random.bytes(32))).toString('base64')
        await writePeppers(tx, [...stored, { id, wrapped, created_at: clock.iso() }])
        await record?.write(tx)
        await tx.announce(topic, 'all')
      })
      await reload()
    },
  }
}

/** Oldest first, without the derived one. */
export async function readPeppers(tx: Pick<SystemTx, 'first'>): Promise<readonly StoredPepper[]> {
  const row = await tx.first(
    sql<{ value: { readonly peppers: readonly StoredPepper[] } }>`
      select value from platform_state where name = ${pepperStateName}`,
  )
  return row?.value.peppers ?? []
}

export async function writePeppers(tx: Pick<SystemTx, 'execute'>, peppers: readonly StoredPepper[]): Promise<void> {
  await tx.execute(sql`
    insert into platform_state (name, value) values (${pepperStateName}, ${json({ peppers })})
    on conflict (name) do update set value = excluded.value`)
}

/** Wraps those anew that are not wrapped under the key that wraps now; answers how many there were. */
export async function rewrapPeppers(tx: SystemTx, wrap: KeyWrap): Promise<number> {
  const stored = await readPeppers(tx)
  const old = stored.filter((one) => !isCurrent(wrap, one))
  if (old.length === 0) return 0
  await writePeppers(
    tx,
    stored.map((one) =>
      old.includes(one)
        ? { ...one, wrapped: Buffer.from(wrap.wrap(wrapKind, one.id, unwrapped(wrap, one))).toString('base64') }
        : one,
    ),
  )
  return old.length
}

export const isCurrent = (wrap: KeyWrap, { wrapped }: StoredPepper): boolean =>
  wrap.isCurrent(Buffer.from(wrapped, 'base64'))

function unwrapped(wrap: KeyWrap, { id, wrapped }: StoredPepper): Uint8Array {
  return wrap.unwrap(wrapKind, id, Buffer.from(wrapped, 'base64'))
}
