/**
 * Data keys of the tenants: each tenant's fields are encrypted under its own key, which is stored wrapped and held in
 * memory while in use. It promises that destroying a tenant's keys makes its ciphertexts unreadable everywhere within a
 * second; it does not re-encrypt rows when a key is rotated. Tested in keys.test.ts.
 */

import { createHmac } from 'node:crypto'
import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { type FieldAddress, fieldContext, keyVersionOf, open, seal } from '../crypto/envelope.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap, deriveKey, type KeyWrap } from '../crypto/wrapping.ts'
import type { Database, Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { ChangeSource } from '../live/changes.ts'
import type { KeyUses } from './key-uses.ts'
import type { TenantKeys } from './port.ts'
import { tenantDataKey } from './tables.ts'

export interface TenantKeyStore extends TenantKeys {
  /**
   * Reads the keys of all tenants. Afterwards no key is read inside somebody's transaction, which the embedded
   * database, having one session, could not do.
   */
  start(): Promise<void>
  stop(): void
  /** Adds a newer key, used from the commit on; older ones still decrypt. */
  rotate(tx: Tx): Promise<void>
  /** The version new values are encrypted under. */
  newest(tenantId: TenantId): Promise<number>
  /** The same value under the newest key; null where it is already. @throws Error as `decrypt` */
  reseal(tenantId: TenantId, address: FieldAddress, ciphertext: Uint8Array): Promise<Uint8Array | null>
  /** Removes all keys of the tenant: everything encrypted under them is gone for good. */
  destroy(tx: Tx): Promise<void>
}

export interface TenantKeyParts {
  readonly db: Pick<Database, 'read' | 'system'>
  readonly kek: Uint8Array
  /** The one that replaces it; wraps already. */
  readonly nextKek?: Uint8Array | null
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'bytes' | 'uuid'>
  readonly changes: Pick<ChangeSource, 'on'>
  /** Counts the uses of each key; default uncounted. */
  readonly uses?: Pick<KeyUses, 'count'>
  /** Tenants held in memory; default 20,000 at about 300 bytes each. */
  readonly capacity?: number
}

/** The keys of one tenant. */
interface KeyRing {
  readonly byVersion: ReadonlyMap<number, Uint8Array>
  readonly newest: number
  /** Of the oldest version, so that rotation leaves stored indexes valid. */
  readonly indexKey: Uint8Array
}

interface StoredKey {
  readonly tenant_id: string
  readonly version: number
  readonly wrapped: Uint8Array
}

export const tenantWrapKind = 'tenant_data_key'
const topic = 'crypto.tenant_keys'

export function createTenantKeys(parts: TenantKeyParts): TenantKeyStore {
  const wrap = createKeyWrap(parts.kek, parts.random, parts.nextKek)
  const rings = createRingCache(parts, wrap)
  let stopListening = (): void => undefined

  const adding = { parts, wrap }
  const encrypt: TenantKeys['encrypt'] = async (tenantId, address, plaintext) => {
    const ring = await rings.get(tenantId)
    const key = keyOf(ring, ring.newest)
    const context = fieldContext(tenantId, address)
    parts.uses?.count(tenantWrapId(tenantId, ring.newest))
    return seal({ key, keyVersion: ring.newest, nonce: parts.random.bytes(12), context, plaintext })
  }
  const decrypt: TenantKeys['decrypt'] = async (tenantId, address, ciphertext) => {
    const version = keyVersionOf(ciphertext)
    const held = await rings.get(tenantId)
    // Another instance may have rotated a moment ago.
    const ring = held.byVersion.has(version) || version <= held.newest ? held : await rings.reload(tenantId)
    return open(keyOf(ring, version), fieldContext(tenantId, address), ciphertext)
  }

  return {
    start: async () => {
      stopListening = parts.changes.on(topic, (key) => rings.refresh(key as TenantId))
      await rings.fill()
    },
    stop: () => stopListening(),
    encrypt,
    decrypt,
    newest: async (tenantId) => (await rings.get(tenantId)).newest,
    reseal: async (tenantId, address, ciphertext) => {
      const { newest } = await rings.get(tenantId)
      if (keyVersionOf(ciphertext) === newest) return null
      return encrypt(tenantId, address, await decrypt(tenantId, address, ciphertext))
    },
    blindIndex: async (tenantId, purpose, value) => blindIndexIn(await rings.get(tenantId), purpose, value),
    create: async (tx) => {
      const key = await addKey(tx, 1, adding)
      // Held before the commit: the same transaction may encrypt already. A tenant that is rolled back never used it.
      rings.set(tx.tenantId, ringOf(new Map([[1, key]])))
    },
    rotate: async (tx) => {
      await tx.lock(tenantWrapKind, tx.tenantId)
      await addKey(tx, await nextVersion(tx), adding)
      await tx.announce(topic, tx.tenantId)
    },
    destroy: async (tx) => {
      await tx.execute(sql`delete from tenant_data_key`)
      tx.afterCommit(() => rings.drop(tx.tenantId))
      await tx.announce(topic, tx.tenantId)
    },
  }
}

function blindIndexIn({ indexKey }: KeyRing, purpose: string, value: string): string {
  return createHmac('sha256', deriveKey(indexKey, `index/${purpose}`))
    .update(value)
    .digest('base64url')
}

interface Adding {
  readonly parts: TenantKeyParts
  readonly wrap: KeyWrap
}

/** Makes a data key of the transaction's tenant. */
async function addKey(tx: Tx, version: number, { parts, wrap }: Adding): Promise<Uint8Array> {
  const key = parts.random.bytes(32)
  await tenantDataKey.insert(tx, {
    tenant_id: tx.tenantId,
    id: parts.random.uuid(),
    version,
    wrapped: wrap.wrap(tenantWrapKind, tenantWrapId(tx.tenantId, version), key),
    created_at: parts.clock.iso(),
  })
  return key
}

async function nextVersion(tx: Tx): Promise<number> {
  const row = await tx.first(
    sql<{ version: number }>`select coalesce(max(version), 0)::int as version from tenant_data_key`,
  )
  return (row?.version ?? 0) + 1
}

function createRingCache(parts: TenantKeyParts, wrap: KeyWrap) {
  const capacity = parts.capacity ?? 20_000
  const rings = new Map<TenantId, KeyRing>()

  const set = (tenantId: TenantId, ring: KeyRing): KeyRing => {
    rings.delete(tenantId)
    rings.set(tenantId, ring)
    const oldest = rings.size > capacity ? rings.keys().next().value : undefined
    if (oldest !== undefined) rings.delete(oldest)
    return ring
  }
  const unwrapped = (tenantId: TenantId, rows: readonly StoredKey[]): KeyRing =>
    ringOf(
      new Map(
        rows.map((row) => [row.version, wrap.unwrap(tenantWrapKind, tenantWrapId(tenantId, row.version), row.wrapped)]),
      ),
    )

  const reload = async (tenantId: TenantId): Promise<KeyRing> => {
    const rows = await parts.db.read(
      tenantId,
      sql<StoredKey>`select tenant_id, version, wrapped from tenant_data_key order by version`,
    )
    if (rows.length === 0) throw new Error('the tenant has no data key: it was destroyed or never made')
    return set(tenantId, unwrapped(tenantId, rows))
  }

  return {
    set,
    reload,
    drop: (tenantId: TenantId) => void rings.delete(tenantId),
    get: (tenantId: TenantId): KeyRing | Promise<KeyRing> => rings.get(tenantId) ?? reload(tenantId),
    /** In the background, so that a transaction that encrypts right now keeps the key it has. */
    refresh: (tenantId: TenantId): void => {
      reload(tenantId).catch(() => rings.delete(tenantId))
    },
    fill: async (): Promise<void> => {
      const rows = await parts.db.system('tenant keys', (tx) =>
        tx.query(sql<StoredKey>`
          select tenant_id, version, wrapped from tenant_data_key
          where tenant_id in (select tenant_id from tenant_data_key where version = 1 order by tenant_id desc limit ${capacity})`),
      )
      const byTenant = new Map<TenantId, StoredKey[]>()
      for (const row of rows) {
        const tenantId = row.tenant_id as TenantId
        byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), row])
      }
      for (const [tenantId, keys] of byTenant) set(tenantId, unwrapped(tenantId, keys))
    },
  }
}

function ringOf(byVersion: ReadonlyMap<number, Uint8Array>): KeyRing {
  const versions = [...byVersion.keys()]
  return { byVersion, newest: Math.max(...versions), indexKey: keyIn(byVersion, Math.min(...versions)) }
}

function keyOf(ring: KeyRing, version: number): Uint8Array {
  return keyIn(ring.byVersion, version)
}

function keyIn(byVersion: ReadonlyMap<number, Uint8Array>, version: number): Uint8Array {
  const key = byVersion.get(version)
  if (key === undefined) throw new Error(`the tenant has no data key of version ${version}`)
  return key
}

/** Context that a wrapped key is bound to. */
export function tenantWrapId(tenantId: string, version: number): string {
  return `${tenantId}/${version}`
}
