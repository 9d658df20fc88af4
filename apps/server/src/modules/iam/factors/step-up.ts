/**
 * Reauthentication within a session (RFC 9470): an account with a second factor by that factor, any other by its
 * password. The session is fresh from then on, and the returned token says so. A stolen session guesses no faster than
 * any other caller. Tested in mfa.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { stepUpNeeded } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { findSubject } from '../rights/subjects.ts'
import type { FreshToken, StepUp } from '../schemas/mfa.ts'
import { homeScope, type IamServices } from '../services/iam-services.ts'
import { type Account, accountStatement } from '../sign-in/find-account.ts'
import { accessTokenOf } from '../sign-in/open-session.ts'
import { proveSession } from './enrolled.ts'
import { codeProof, type FreshProof, guardOf, passkeyProof } from './second-proof.ts'

export interface SteppingUp {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly body: StepUp
}

/** @throws API-001, AUTH-007, AUTH-008, AUTH-009 for API keys */
export async function stepUp(services: IamServices, ask: SteppingUp): Promise<FreshToken> {
  const { kernel } = services
  const { actor, request, body } = ask
  if (actor.sessionId === null) throw stepUpNeeded()
  if (Object.values(body).filter((given) => given !== undefined).length !== 1) {
    throw apiErrors.validation({ what: 'Give one of password, code and passkey.' })
  }
  const [account] = await kernel.db.read(actor.homeTenantId, accountStatement(sql`u.id = ${actor.userId}`))
  if (account === undefined) throw authErrors.invalid()
  const { userId } = actor
  const guard = await guardOf(services, { scope: homeScope(request, actor), request, userId, email: account.email })
  const shown = await showProof(services, actor, { account, body })
  const fresh = shown === null ? null : await makeFresh(services, { actor, request, shown })
  return fresh ?? guard.refuse()
}

async function showProof(
  services: IamServices,
  actor: Actor,
  { account, body }: { readonly account: Account; readonly body: StepUp },
): Promise<FreshProof | null> {
  const holder = { tenantId: actor.homeTenantId, userId: actor.userId }
  if (body.code !== undefined) return codeProof(services, holder, body.code)
  if (body.passkey !== undefined) return passkeyProof(services, holder, body.passkey)
  const proven = await services.passwords.verify(account.password_hash, body.password ?? '')
  // With a second factor enrolled, a password is not enough: an intruder in an open session might know it.
  if (!proven || account.methods.length > 0) return null
  return { proof: { amr: ['pwd'], acr: 'aal1' }, spend: (tx) => isUnchanged(tx, account) }
}

async function isUnchanged(tx: Tx, account: Account): Promise<boolean> {
  const now = await tx.first(accountStatement(sql`u.id = ${account.id}`))
  return now?.password_hash === account.password_hash && now.methods.length === 0
}

/** Null when what was shown was spent meanwhile. @throws AUTH-002 when the session has ended meanwhile */
export async function makeFresh(
  services: IamServices,
  { actor, request, shown }: { readonly actor: Actor; readonly request: RequestInfo; readonly shown: FreshProof },
): Promise<FreshToken | null> {
  const { kernel } = services
  const sessionId = actor.sessionId ?? ''
  const now = kernel.clock.now()
  const made = await kernel.db.tenant(homeScope(request, actor), async (tx) => {
    if (!(await shown.spend(tx))) return null
    const { proof } = shown
    const session = await proveSession(tx, { sessionId, proof, now: new Date(now).toISOString() })
    const subject = await findSubject(tx, actor.userId, now)
    if (session === null || subject === null) throw authErrors.invalid()
    await tx.audit('auth.step_up', { target: `session:${sessionId}`, after: { amr: proof.amr } })
    return { session, subject }
  })
  if (made === null) return null
  const { amr, acr } = made.session
  const { homeTenantId: tenantId, userId } = actor
  const token = await accessTokenOf(
    services,
    { id: sessionId, tenantId, userId, authTime: now, amr, acr },
    made.subject,
  )
  return {
    access_token: token.token,
    token_type: 'Bearer',
    expires_in: token.expiresIn,
    auth_time: Math.floor(now / 1000),
    amr: [...amr],
    acr,
  }
}
