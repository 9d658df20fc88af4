/**
 * Determines who adds a factor to an account: a signed-in person, or a person with the right password who may not sign
 * in before having one. The latter may do nothing else, and only while the account has none. Tested in mfa.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { assertFresh, stepUpNeeded } from '../../../kernel/auth/fresh.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { isGenuine, readChallenge } from '../mfa/challenge.ts'
import type { FactorKind } from '../schemas/factor-kinds.ts'
import type { IamServices } from '../services/iam-services.ts'
import { effectiveSettings } from '../settings/settings.ts'
import { type Account, accountStatement, mayEnter } from '../sign-in/find-account.ts'

export interface Enroller {
  readonly tenantId: TenantId
  readonly userId: string
  /** Null with a token. */
  readonly sessionId: string | null
  readonly account: Account
  readonly scope: TenantScope
}

interface Ask {
  readonly token: string | undefined
  readonly request: RequestInfo
  readonly kind: FactorKind
}

/** @throws AUTH-001, AUTH-002, AUTH-003, AUTH-009, AUTH-016, API-011 where the tenant does not allow the kind */
export async function enrollerOf(services: IamServices, ask: Ask): Promise<Enroller> {
  const { token, request } = ask
  const enroller = await (token === undefined ? bySession(services, ask) : byToken(services, { token, request }))
  if (!effectiveSettings(enroller.account.settings).mfa_allowed_methods.includes(ask.kind)) {
    throw apiErrors.conflict({ what: `This tenant does not allow the second factor ${ask.kind}.` })
  }
  return enroller
}

async function bySession(services: IamServices, { request }: Ask): Promise<Enroller> {
  const { kernel } = services
  const actor = await kernel.auth.authenticate({
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    tenantHeader: undefined,
    ip: request.ip,
  })
  if (actor.tenantStatus !== 'active') throw authErrors.tenantSuspended()
  if (actor.sessionId === null) throw stepUpNeeded()
  const account = await accountOf(services, actor.homeTenantId, actor.userId)
  if (account === null) throw authErrors.invalid()
  // Otherwise a person who finds an open session could add a factor of their own and stay fresh with it forever.
  assertFresh(actor, kernel.clock)
  const { homeTenantId: tenantId, userId, sessionId } = actor
  return { tenantId, userId, sessionId, account, scope: { tenantId, origin: originOf(request, actor) } }
}

async function byToken(
  services: IamServices,
  { token, request }: { readonly token: string; readonly request: RequestInfo },
): Promise<Enroller> {
  const { kernel } = services
  const who = readChallenge(token, kernel.clock)
  const account = who === null ? null : await accountOf(services, who.tenantId, who.userId)
  if (who === null || account === null || account.tenant_status !== 'active') throw authErrors.invalid()
  const good = isGenuine(kernel, token, account.password_hash)
  if (!good || account.methods.length > 0 || !mayEnter(account, { now: kernel.clock.now(), evenLocked: false })) {
    throw authErrors.invalid()
  }
  return { ...who, sessionId: null, account, scope: { tenantId: who.tenantId, origin: originOf(request, null) } }
}

async function accountOf({ kernel }: IamServices, tenantId: TenantId, userId: string): Promise<Account | null> {
  const [account] = await kernel.db.read(tenantId, accountStatement(sql`u.id = ${userId}`))
  return account ?? null
}

/** The current account, locked until the end; a caller with a token must still have no factor. @throws AUTH-002 */
export async function holdEnroller(tx: Tx, { userId, sessionId, account }: Enroller): Promise<Account> {
  const now = await tx.first(sql<Account>`${accountStatement(sql`u.id = ${userId}`)} for update of u`)
  const changed = now === null || (sessionId === null && now.password_hash !== account.password_hash)
  if (changed || (sessionId === null && now.methods.length > 0)) throw authErrors.invalid()
  return now
}
