/**
 * Administration of keys: list, replace them, wrap them anew. Promises that no key
 * material leaves, that replacing the key-encryption key touches no row but those that hold keys, and that a rewrap is
 * whole or not at all. Permissions are decided elsewhere. Tested in administration.test.ts.
 */
import type { Static } from 'typebox'
import type { TenantId } from '../access/actor.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap, type KeyWrap } from '../crypto/wrapping.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { KeyUses } from './key-uses.ts'
import { type TenantKeyStore, tenantWrapId, tenantWrapKind } from './keys.ts'
import { isCurrent, type PepperStore, readPeppers, rewrapPeppers } from './peppers.ts'
import type { SigningPurpose } from './port.ts'
import { keepRoot } from './root.ts'
import { type SigningKeyStore, signingWrapKind } from './signing.ts'
import { signingKey } from './tables.ts'

export interface KeyFacts {
  readonly purpose: SigningPurpose | 'data' | 'kek' | 'pepper'
  readonly kid: string
  readonly algorithm: 'EdDSA' | 'A256GCM' | 'Argon2id'
  readonly status: Static<typeof signingKey.row>['status']
  readonly created_at: string | null
  readonly activates_at: string | null
  readonly retires_at: string | null
  /** How often it has locked or signed something; null for keys without a counter. */
  readonly uses: number | null
}

export interface KeyAdministration extends Pick<TenantKeyStore, 'newest' | 'reseal'> {
  /** The signing keys that still count, the peppers and the key-encryption keys. */
  inventory(): Promise<readonly KeyFacts[]>
  /** The data keys of one tenant. */
  dataKeys(tenantId: TenantId): Promise<readonly KeyFacts[]>
  rotateSigning: SigningKeyStore['rotate']
  rotateData: TenantKeyStore['rotate']
  rotatePepper: PepperStore['rotate']
  /** Whether `rewrap` has anything to lock under: a next key-encryption key, or a key service that keeps the present one. */
  readonly canRewrap: boolean
  /**
   * Wraps every stored key under the next key-encryption key; answers how many were not yet. Where none is set, has the
   * present one locked under the newest version of the service's key. @throws KeyServiceError
   */
  rewrap(): Promise<number>
  /** How many `rewrap` would wrap. */
  countToRewrap(): Promise<number>
}

export interface KeyAdministrationParts {
  readonly db: Pick<Database, 'read' | 'system'>
  readonly kek: Uint8Array
  readonly nextKek: Uint8Array | null
  /** Of the key service that keeps the key-encryption key; null where none does. */
  readonly relock: ((kek: Uint8Array) => Promise<void>) | null
  readonly root: Uint8Array
  readonly random: Pick<Random, 'bytes'>
  readonly tenantKeys: TenantKeyStore
  readonly signingKeys: SigningKeyStore
  readonly peppers: PepperStore
  readonly uses?: Pick<KeyUses, 'of'>
}

export function createKeyAdministration(parts: KeyAdministrationParts): KeyAdministration {
  const { db, kek, nextKek, relock, random, tenantKeys, signingKeys } = parts
  const wrap = createKeyWrap(kek, random, nextKek)
  return {
    canRewrap: nextKek !== null || relock !== null,
    newest: tenantKeys.newest,
    reseal: tenantKeys.reseal,
    rotateSigning: signingKeys.rotate,
    rotateData: tenantKeys.rotate,
    rotatePepper: parts.peppers.rotate,
    inventory: async () => [
      ...(await counted(parts, await signingFacts(db))),
      ...(await pepperFacts(db)),
      ...kekFacts(parts, wrap),
    ],
    dataKeys: async (tenantId) => counted(parts, await dataFacts(db, tenantId)),
    rewrap: async () => {
      if (nextKek !== null || relock === null) return db.system('key rewrap', (tx) => rewrapAll(tx, wrap, parts.root))
      await relock(kek)
      return 0
    },
    countToRewrap: () => db.system('key rewrap', (tx) => countElsewhere(tx, wrap)),
  }
}

function signingFacts(db: Pick<Database, 'system'>): Promise<readonly KeyFacts[]> {
  return db.system('key inventory', async (tx) =>
    (
      await tx.query(
        sql<Static<typeof signingKey.row>>`
          select ${signingKey.columns} from signing_key where status <> 'retired' order by purpose, status, kid`,
      )
    ).map(({ public_x: _x, wrapped: _wrapped, ...key }) => ({ ...key, algorithm: 'EdDSA', uses: null })),
  )
}

/** With their numbers of uses, where those are counted. */
async function counted(
  { uses }: Pick<KeyAdministrationParts, 'uses'>,
  keys: readonly KeyFacts[],
): Promise<readonly KeyFacts[]> {
  if (uses === undefined) return keys
  const all = await uses.of(keys.map(({ kid }) => kid))
  return keys.map((key) => ({ ...key, uses: all.get(key.kid) ?? 0 }))
}

const timeless = { created_at: null, activates_at: null, retires_at: null, uses: null } as const

function kekFacts({ kek, nextKek, random }: KeyAdministrationParts, wrap: KeyWrap): readonly KeyFacts[] {
  const key = { purpose: 'kek', algorithm: 'A256GCM', ...timeless } as const
  const present = {
    ...key,
    kid: createKeyWrap(kek, random).mark,
    status: nextKek === null ? 'active' : 'retiring',
  } as const
  return nextKek === null ? [present] : [present, { ...key, kid: wrap.mark, status: 'active' }]
}

async function dataFacts(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<readonly KeyFacts[]> {
  const rows = await db.read(
    tenantId,
    sql<{ version: number; created_at: string }>`
      select version, created_at from tenant_data_key order by version desc`,
  )
  return rows.map(({ version, created_at }, index) => ({
    purpose: 'data',
    kid: `${tenantId}/${version}`,
    algorithm: 'A256GCM',
    // Older ones decrypt what is left under them, and the oldest keeps the blind indexes.
    status: index === 0 ? 'active' : 'retiring',
    created_at,
    activates_at: created_at,
    retires_at: null,
    uses: null,
  }))
}

async function pepperFacts(db: Pick<Database, 'system'>): Promise<readonly KeyFacts[]> {
  const stored = await db.system('key inventory', readPeppers)
  const all = [{ id: '0', created_at: null }, ...stored]
  return all.map(({ id, created_at }, index) => ({
    purpose: 'pepper',
    kid: id,
    algorithm: 'Argon2id',
    // Older ones verify what was hashed with them.
    status: index === all.length - 1 ? 'active' : 'retiring',
    created_at,
    activates_at: created_at,
    retires_at: null,
    uses: null,
  }))
}

async function countElsewhere(tx: SystemTx, wrap: KeyWrap): Promise<number> {
  const peppers = (await readPeppers(tx)).filter((one) => !isCurrent(wrap, one))
  return (await wrappedElsewhere(tx, wrap)).length + peppers.length
}

interface StoredKey {
  readonly kind: string
  readonly id: string
  /** Of the row: the tenant's key, or the signing key. */
  readonly row: string
  readonly wrapped: Uint8Array
}

async function wrappedElsewhere(tx: SystemTx, wrap: KeyWrap): Promise<readonly StoredKey[]> {
  const data = await tx.query(sql<{ id: string; tenant_id: string; version: number; wrapped: Uint8Array }>`
    select id, tenant_id, version, wrapped from tenant_data_key order by tenant_id, version for update`)
  const signing = await tx.query(sql<{ kid: string; wrapped: Uint8Array }>`
    select kid, wrapped from signing_key where wrapped is not null order by kid for update`)
  const stored: readonly StoredKey[] = [
    ...data.map(({ id, tenant_id: tenant, version, wrapped }) => ({
      kind: tenantWrapKind,
      id: tenantWrapId(tenant, version),
      row: id,
      wrapped,
    })),
    ...signing.map(({ kid, wrapped }) => ({ kind: signingWrapKind, id: kid, row: kid, wrapped })),
  ]
  return stored.filter(({ wrapped }) => !wrap.isCurrent(wrapped))
}

async function rewrapAll(tx: SystemTx, wrap: KeyWrap, root: Uint8Array): Promise<number> {
  await tx.lock('key_rewrap', 'all')
  const old = await wrappedElsewhere(tx, wrap)
  const wrapped = old.map(({ kind, id, row, wrapped: under }) => ({
    kind,
    row,
    text: Buffer.from(wrap.wrap(kind, id, wrap.unwrap(kind, id, under))).toString('base64'),
  }))
  const of = (kind: string) => wrapped.filter((key) => key.kind === kind)
  const [data, signing] = [of(tenantWrapKind), of(signingWrapKind)]
  await tx.execute(sql`
    update tenant_data_key k set wrapped = decode(t.wrapped, 'base64')
    from unnest(${data.map(({ row }) => row)}::uuid[], ${data.map(({ text }) => text)}::text[]) as t(id, wrapped)
    where k.id = t.id`)
  await tx.execute(sql`
    update signing_key k set wrapped = decode(t.wrapped, 'base64')
    from unnest(${signing.map(({ row }) => row)}::text[], ${signing.map(({ text }) => text)}::text[]) as t(kid, wrapped)
    where k.kid = t.kid`)
  const peppers = await rewrapPeppers(tx, wrap)
  await keepRoot(tx, wrap, root)
  return old.length + peppers
}
