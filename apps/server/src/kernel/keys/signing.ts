/**
 * Signing keys of the installation, by purpose. One key signs; the next one is published before its time, so that no
 * instance meets a signature it cannot check; an old one goes on verifying until everything it signed has ended. It
 * does not sign across purposes: a checkpoint key never makes a token. Tested in signing.test.ts.
 */

import type { KeyObject } from 'node:crypto'
import type { Static } from 'typebox'
import { platformTenant } from '../access/platform-tenant.ts'
import type { Clock } from '../base/clock.ts'
import { checkSignature, makeKeyPair, privateKeyOf, publicKeyOf, signBytes, thumbprint } from '../crypto/ed25519.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap, type KeyWrap } from '../crypto/wrapping.ts'
import type { Database, Origin, Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { ChangeSource } from '../live/changes.ts'
import type { KeyUses } from './key-uses.ts'
import type { Jwk, SigningKeys, SigningPurpose } from './port.ts'
import { signingKey } from './tables.ts'

const purposes = ['token', 'checkpoint', 'export'] as const satisfies readonly SigningPurpose[]

export interface SigningKeyStore extends SigningKeys {
  /** Makes the first keys where there are none, then reads all. Safe when several instances start at once. */
  ensure(): Promise<void>
  stop(): void
  /**
   * The next key begins to sign, the present one only verifies from now on.
   * @param overlapMs how long it does: null for ever (checkpoints), 0 after a theft. Default: see `overlapOf`.
   * @param record what else belongs into the transaction, which is the installation's own
   */
  rotate(purpose: SigningPurpose, overlapMs?: number | null, record?: RotationRecord): Promise<void>
}

/** Origin of a rotation, and its record. */
export interface RotationRecord {
  readonly origin?: Partial<Origin>
  /** Nothing is done where the present key began to sign later than that, as when another instance was first. */
  readonly ifActiveBefore?: string
  readonly write: (tx: Tx) => Promise<void>
}

export interface SigningKeyParts {
  /** Counts the signatures of each key; default uncounted. */
  readonly uses?: Pick<KeyUses, 'count'>
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly kek: Uint8Array
  /** The one that replaces it; wraps already. */
  readonly nextKek?: Uint8Array | null
  readonly clock: Pick<Clock, 'iso' | 'now'>
  readonly random: Pick<Random, 'bytes'>
  readonly changes: Pick<ChangeSource, 'on'>
  /** A reload that failed; the keys in memory stay in use. */
  readonly failed: (error: unknown) => void
}

/**
 * Milliseconds an old key verifies. Tokens: the longest refresh token (30 days) and an hour. Checkpoints and
 * backups are read years later, so their keys verify for ever.
 */
const overlapOf: Readonly<Record<SigningPurpose, number | null>> = {
  token: (30 * 24 + 1) * 3_600_000,
  checkpoint: null,
  export: null,
}

interface VerifyingKey {
  readonly purpose: SigningPurpose
  readonly x: string
  readonly publicKey: KeyObject
  /** Unix milliseconds; null for no end. */
  readonly retiresAt: number | null
}

interface ActiveKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

interface KeyState {
  readonly verifying: ReadonlyMap<string, VerifyingKey>
  readonly active: ReadonlyMap<SigningPurpose, ActiveKey>
}

type KeyRow = Static<typeof signingKey.row>

export const signingWrapKind = 'signing_key'
const topic = 'crypto.signing'

export function createSigningKeys(parts: SigningKeyParts): SigningKeyStore {
  const wrap = createKeyWrap(parts.kek, parts.random, parts.nextKek)
  let state: KeyState = { verifying: new Map(), active: new Map() }
  let stopListening = (): void => undefined

  const reload = async (): Promise<void> => {
    const rows = await parts.db.system('signing keys', (tx) =>
      tx.query(sql<KeyRow>`select ${signingKey.columns} from signing_key where status <> 'retired'`),
    )
    state = readState(rows, wrap)
  }
  const inTransaction = (work: (tx: Tx) => Promise<void>, origin?: Partial<Origin>): Promise<void> =>
    parts.db.tenant({ tenantId: platformTenant, ...(origin === undefined ? {} : { origin }) }, async (tx) => {
      await tx.lock(signingWrapKind, 'all')
      await work(tx)
      await tx.announce(topic, 'all')
    })
  return {
    ensure: async () => {
      stopListening = parts.changes.on(topic, () => {
        reload().catch(parts.failed)
      })
      await reload()
      if (!isComplete(state)) await inTransaction((tx) => addMissing(tx, parts, wrap))
      await reload()
    },
    stop: () => stopListening(),
    rotate: async (purpose, overlapMs = overlapOf[purpose], record) => {
      await inTransaction(async (tx) => {
        if (record?.ifActiveBefore !== undefined && !(await isOlder(tx, purpose, record.ifActiveBefore))) return
        await promoteNext(tx, { parts, wrap, purpose, overlapMs })
        await record?.write(tx)
      }, record?.origin)
      await reload()
    },
    sign: async (purpose, bytes) => {
      const { kid, privateKey } = activeKey(state, purpose)
      parts.uses?.count(kid)
      return { kid, signature: signBytes(privateKey, bytes) }
    },
    verify: (purpose, kid, bytes, signature) => {
      const key = state.verifying.get(kid)
      if (key === undefined || key.purpose !== purpose) return false
      if (key.retiresAt !== null && key.retiresAt <= parts.clock.now()) return false
      return checkSignature(key.publicKey, bytes, signature)
    },
    activeKid: (purpose) => activeKey(state, purpose).kid,
    jwks: (purpose = 'token') => ({ keys: publicKeys(state, purpose, parts.clock.now()) }),
  }
}

/** @throws Error before the first key of the purpose is made */
function activeKey(state: KeyState, purpose: SigningPurpose): ActiveKey {
  const key = state.active.get(purpose)
  if (key === undefined) throw new Error(`there is no signing key for ${purpose} yet`)
  return key
}

function isComplete(state: KeyState): boolean {
  return purposes.every((purpose) => state.active.has(purpose))
}

async function addMissing(tx: Tx, parts: SigningKeyParts, wrap: KeyWrap): Promise<void> {
  const held = await tx.query(sql<Pick<KeyRow, 'purpose' | 'status'>>`select purpose, status from signing_key`)
  for (const purpose of purposes) {
    for (const status of ['active', 'next'] as const) {
      if (held.some((key) => key.purpose === purpose && key.status === status)) continue
      await addKey(tx, { parts, wrap, purpose, status })
    }
  }
}

interface NewKey {
  readonly parts: SigningKeyParts
  readonly wrap: KeyWrap
  readonly purpose: SigningPurpose
  readonly status: 'active' | 'next'
}

async function addKey(tx: Tx, { parts, wrap, purpose, status }: NewKey): Promise<void> {
  const pair = makeKeyPair()
  const kid = thumbprint(pair.x)
  const now = parts.clock.iso()
  await signingKey.insert(tx, {
    kid,
    purpose,
    status,
    public_x: pair.x,
    wrapped: wrap.wrap(signingWrapKind, kid, pair.privateKey),
    created_at: now,
    activates_at: status === 'active' ? now : null,
    retires_at: null,
  })
}

interface Promotion {
  readonly parts: SigningKeyParts
  readonly wrap: KeyWrap
  readonly purpose: SigningPurpose
  readonly overlapMs: number | null
}

async function promoteNext(tx: Tx, { parts, wrap, purpose, overlapMs }: Promotion): Promise<void> {
  const now = parts.clock.iso()
  const retiresAt = overlapMs === null ? null : new Date(parts.clock.now() + overlapMs).toISOString()
  await tx.execute(sql`
    update signing_key set status = 'retired', wrapped = null
    where purpose = ${purpose} and status = 'retiring' and retires_at <= ${now}`)
  // After a theft nothing older is believed either.
  if (overlapMs === 0) {
    await tx.execute(sql`
      update signing_key set status = 'retired', wrapped = null, retires_at = ${now}
      where purpose = ${purpose} and status = 'retiring'`)
  }
  await tx.execute(sql`
    update signing_key set status = 'retiring', wrapped = null, retires_at = ${retiresAt}
    where purpose = ${purpose} and status = 'active'`)
  const promoted = await tx.execute(sql`
    update signing_key set status = 'active', activates_at = ${now}
    where purpose = ${purpose} and status = 'next'`)
  if (promoted === 0) await addKey(tx, { parts, wrap, purpose, status: 'active' })
  await addKey(tx, { parts, wrap, purpose, status: 'next' })
}

async function isOlder(tx: Tx, purpose: SigningPurpose, before: string): Promise<boolean> {
  const old = await tx.first(sql`
    select kid from signing_key where purpose = ${purpose} and status = 'active' and activates_at < ${before}`)
  return old !== null
}

function readState(rows: readonly KeyRow[], wrap: KeyWrap): KeyState {
  const verifying = new Map(
    rows.map((row) => [
      row.kid,
      {
        purpose: row.purpose,
        x: row.public_x,
        publicKey: publicKeyOf(row.public_x),
        retiresAt: row.retires_at === null ? null : Date.parse(row.retires_at),
      },
    ]),
  )
  const active = new Map<SigningPurpose, ActiveKey>()
  for (const row of rows) {
    if (row.status !== 'active' || row.wrapped === null) continue
    active.set(row.purpose, {
      kid: row.kid,
      privateKey: privateKeyOf(wrap.unwrap(signingWrapKind, row.kid, row.wrapped)),
    })
  }
  return { verifying, active }
}

function publicKeys(state: KeyState, purpose: SigningPurpose, now: number): readonly Jwk[] {
  return [...state.verifying]
    .filter(([, key]) => key.purpose === purpose && (key.retiresAt === null || key.retiresAt > now))
    .map(([kid, { x }]) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }))
}
