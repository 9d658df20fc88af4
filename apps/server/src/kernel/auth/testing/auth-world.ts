/** Authentication with everything around it at hand: people, keys, a feed and a table of revocations, all in memory. */

import type { TenantId } from '../../access/actor.ts'
import { everyPermission, listPermissions, permissionSet } from '../../access/permissions.ts'
import { createRandom } from '../../crypto/random.ts'
import type { Database, Tx } from '../../db/port.ts'
import { ProblemError } from '../../errors/problem.ts'
import { createPlatformKeys } from '../../keys/platform-keys.ts'
import { hashApiKey, makeApiKey } from '../api-keys.ts'
import { createAuth } from '../authenticate.ts'
import type { AuthRequest, IdentitySource, StoredApiKey, SubjectRights } from '../port.ts'
import { announcingTx, handClock, handFeed, memorySigningKeys } from './fakes.ts'

export const viewer: SubjectRights = {
  active: true,
  role: 'viewer',
  roles: ['viewer'],
  permissions: permissionSet(['risk:write', 'iam:read']),
  operator: false,
  tenantStatus: 'active',
  tenantRequestsPerMinute: null,
}
export const operatorRights: SubjectRights = {
  ...viewer,
  role: 'super_admin',
  roles: ['super_admin'],
  permissions: everyPermission,
  operator: true,
}

/** An identity module in memory that counts what it is asked. */
function identity() {
  const rights = new Map<string, SubjectRights>()
  const keys = new Map<string, StoredApiKey>()
  const state = { asked: 0, used: [] as string[], down: false, setUp: true, tenants: new Set<string>() }
  const answer = async <T>(value: T): Promise<T> => {
    state.asked += 1
    if (state.down) throw new Error('connection refused')
    return value
  }
  const source: IdentitySource = {
    rights: (tenantId, userId) => answer(rights.get(`${tenantId}/${userId}`) ?? null),
    apiKey: (keyId) => answer(keys.get(keyId) ?? null),
    apiKeyUsed: (key, ip) => void state.used.push(`${key.id} ${ip}`),
    outsideToken: () => answer(null),
    tenantsAbove: (tenantId) => answer(state.tenants.has(tenantId) ? [] : null),
    isSetUp: () => state.setUp,
  }
  return { rights, keys, state, source }
}

export async function world(rights: SubjectRights = viewer) {
  const clock = handClock()
  const random = createRandom(clock.now)
  const feed = handFeed()
  const people = identity()
  const platformKeys = createPlatformKeys(random.bytes(32))
  const tenantId = random.uuid() as TenantId
  const table = { revoked: false, down: false }
  const system: Database['system'] = (_, work) =>
    table.down ? Promise.reject(new Error('connection refused')) : work(tableTx(table, announcingTx(tenantId, feed)))
  const auth = createAuth({
    db: { system },
    keys: memorySigningKeys(),
    platformKeys,
    clock,
    random,
    changes: feed,
    identity: () => people.source,
    publicUrl: 'https://parapet.example',
    failed: () => undefined,
  })
  await auth.start()
  const userId = random.uuid()
  const subject = `${tenantId}/${userId}`
  people.rights.set(subject, rights)
  people.state.tenants.add(tenantId)
  const sign = async (permissions: readonly string[] = listPermissions(rights.permissions)) => {
    const claims = { sub: userId, tid: tenantId, sid: random.uuid(), role: rights.role, permissions }
    const facts = { auth_time: Math.floor(clock.now() / 1000), amr: ['pwd'], acr: 'aal1' }
    return (await auth.signAccess({ ...claims, ...facts })).token
  }
  const newKey = (facts: Partial<StoredApiKey> = {}) => {
    const key = makeApiKey(random)
    const stored: StoredApiKey = {
      id: random.uuid(),
      tenantId,
      ownerId: userId,
      secretHash: hashApiKey(platformKeys, key),
      scopes: permissionSet(['risk:read']),
      expiresAt: null,
      allowedCidrs: [],
      rateLimitPerMinute: 7,
      revoked: false,
      ...facts,
    }
    people.keys.set(key.keyId, stored)
    return { text: key.text, stored, keyId: key.keyId }
  }
  const tx = () => announcingTx(tenantId, feed)
  return { auth, clock, feed, people, table, random, tenantId, userId, subject, sign, newKey, tx }
}

export type World = Awaited<ReturnType<typeof world>>

export const request = (facts: Partial<AuthRequest>): AuthRequest => ({
  authorization: undefined,
  apiKey: undefined,
  tenantHeader: undefined,
  ip: '203.0.113.9',
  ...facts,
})
export const bearer = (token: string, facts: Partial<AuthRequest> = {}) =>
  request({ authorization: `Bearer ${token}`, ...facts })

export async function outcome({ auth }: World, given: AuthRequest): Promise<string> {
  try {
    await auth.authenticate(given)
    return 'accepted'
  } catch (error) {
    if (error instanceof ProblemError) return `${error.status} ${error.code}`
    throw error
  }
}

/** The table of revocations at the port: empty when it is read as a whole, one answer to the check of one credential. */
function tableTx(table: { readonly revoked: boolean }, tx: Tx): Tx {
  return { ...tx, query: async () => [], first: async <Row>() => (table.revoked ? ({ found: 1 } as Row) : null) }
}
