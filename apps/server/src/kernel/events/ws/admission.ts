/**
 * Admission of connections: checks tokens, counts connections per tenant and user, slows down guessing, and lets a
 * platform operator follow another tenant, which leaves an entry in that tenant's audit log. Tested in
 * connection.test.ts and stream.test.ts.
 */
import type { Actor, TenantId } from '../../access/actor.ts'
import type { AuthKernel } from '../../auth/port.ts'
import type { Database } from '../../db/port.ts'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import { ProblemError } from '../../errors/problem.ts'
import type { Limiter } from '../../limits/port.ts'
import type { Connection, Identity } from './connection.ts'
import { type CloseCode, closeCodes, type StreamLimits } from './limits.ts'
import type { Subscribe } from './messages.ts'

export interface AdmissionParts {
  readonly auth: Pick<AuthKernel, 'authenticateToken'>
  readonly db: Pick<Database, 'tenant'>
  readonly limiter: Pick<Limiter, 'take' | 'peek'>
  readonly limits: StreamLimits
  readonly tenants: () => Promise<readonly TenantId[]>
  /** Connections that are open now. */
  readonly connections: () => Iterable<Connection>
}

export type Outcome = { readonly identity: Identity } | { readonly problem: ProblemError; readonly code: CloseCode }

export interface OtherTenant {
  readonly actor: Actor
  readonly tenantId: TenantId
  readonly message: Subscribe
}

export interface Admission {
  authenticate(connection: Connection, token: string | undefined): Promise<Outcome>
  /** @throws API-013 for a tenant that does not exist */
  followOther(connectionId: string, other: OtherTenant): Promise<void>
  /** False when this address opens connections too fast. */
  mayConnect(ip: string): Promise<boolean>
}

const minute = 60_000

/**
 * Clients that were admitted and not told yet. Between the verdict and the moment a connection has its identity others
 * ask too, and all of them together would find room.
 */
type Admitted = WeakMap<Connection, Actor>

interface Judging extends AdmissionParts {
  readonly admitted: Admitted
}

export function createAdmission(given: AdmissionParts): Admission {
  const parts: Judging = { ...given, admitted: new WeakMap() }
  const { limits, limiter } = parts
  const guesses = { limit: limits.failedAuthenticationsPerAddressPerMinute, windowMs: minute }
  return {
    authenticate: async (connection, token) => {
      const key = `{platform}:stream-guess:${connection.ip}`
      const { allowed, retryAfterMs } = await limiter.peek(key, guesses)
      if (!allowed) return refusal(authErrors.lockedOut({ seconds: Math.ceil(retryAfterMs / 1_000) }))
      const outcome = await identify(parts, connection, token)
      if ('problem' in outcome && outcome.code === closeCodes.unauthorized) await limiter.take(key, guesses)
      return outcome
    },
    followOther: (connectionId, other) => followOther(parts, connectionId, other),
    mayConnect: async (ip) => {
      const rule = { limit: limits.upgradesPerAddressPerMinute, windowMs: minute }
      return (await limiter.take(`{platform}:stream-upgrade:${ip}`, rule)).allowed
    },
  }
}

async function identify(parts: Judging, connection: Connection, token: string | undefined): Promise<Outcome> {
  if (token === undefined || token === '') return refusal(authErrors.missing())
  try {
    const identity = await parts.auth.authenticateToken(token, connection.ip)
    return judge(parts, connection, identity)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return error.status === 503 ? { problem: error, code: closeCodes.overCapacity } : refusal(error)
  }
}

function judge(parts: Judging, connection: Connection, identity: Identity): Outcome {
  const { actor } = identity
  if (actor.tenantStatus !== 'active') return { problem: authErrors.tenantSuspended(), code: closeCodes.forbidden }
  if (actor.dataPlaneOnly)
    return { problem: authErrors.forbidden({ permission: 'authenticated' }), code: closeCodes.forbidden }
  const before = connection.identity?.actor
  if (before !== undefined) {
    const same = before.userId === actor.userId && before.homeTenantId === actor.homeTenantId
    return same ? { identity } : { problem: authErrors.tenantMismatch(), code: closeCodes.forbidden }
  }
  if (!hasRoom(parts, actor)) return { problem: tooManyConnections(), code: closeCodes.overCapacity }
  parts.admitted.set(connection, actor)
  return { identity }
}

function hasRoom(parts: Judging, actor: Actor): boolean {
  let ofTenant = 0
  let ofUser = 0
  for (const connection of parts.connections()) {
    const holder = connection.identity?.actor ?? parts.admitted.get(connection)
    if (holder?.homeTenantId !== actor.homeTenantId) continue
    ofTenant += 1
    if (holder.userId === actor.userId) ofUser += 1
  }
  return ofTenant < parts.limits.connectionsPerTenant && ofUser < parts.limits.connectionsPerUser
}

function tooManyConnections(): ProblemError {
  return apiErrors.tooMany({ what: 'There are too many connections of this tenant or user.' })
}

function refusal(problem: ProblemError): Outcome {
  return { problem, code: closeCodes.unauthorized }
}

async function followOther(parts: AdmissionParts, connectionId: string, other: OtherTenant): Promise<void> {
  const { actor, tenantId, message } = other
  const tenants = await parts.tenants()
  if (!tenants.includes(tenantId)) throw apiErrors.notFound({ what: 'tenant' })
  const origin = { actor: { ...actor, tenantId } }
  await parts.db.tenant({ tenantId, origin }, (tx) =>
    tx.audit('stream.subscribe', { target: `connection:${connectionId}`, after: { channels: message.channels } }),
  )
}
