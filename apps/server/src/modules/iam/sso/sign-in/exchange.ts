/**
 * From the code of a completed sign-in to a session. Where the tenant demands two factors of the person and the provider
 * has not said that it saw two, the account's own second factor is asked for, and while it has none the session lasts as
 * long as the grace. Tested in ../oidc/oidc.test.ts and second-factor.test.ts.
 */
import type { TenantScope, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { used } from '../../directory/directory.ts'
import { codeProof, type FreshProof, guardOf, passkeyProof } from '../../factors/second-proof.ts'
import { knownDeviceId } from '../../guessing/device.ts'
import { isDemanded } from '../../mfa/requirement.ts'
import { findSubject, type Subject } from '../../rights/subjects.ts'
import type { TokenSet } from '../../schemas/auth.ts'
import type { SsoExchange } from '../../schemas/sso.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { effectiveSettings } from '../../settings/settings.ts'
import { type Account, accountStatement } from '../../sign-in/find-account.ts'
import { elsewhere } from '../../sign-in/networks.ts'
import { type OpenSession, openSession, type Proof, tokensOf } from '../../sign-in/open-session.ts'
import { oneFactorNotEnough, oneFactorSessionLife } from '../../sign-in/second-factor.ts'
import { ssoConnections, ssoSessions } from '../tables.ts'
import { type CompletedFlow, seeCode, spendCode, tenantOfCode, waitForFactor } from './flows.ts'
import { saysTwoFactors, shownMethods } from './strength.ts'

export interface Exchange {
  readonly body: SsoExchange
  readonly request: RequestInfo
}

type Outcome =
  | { readonly session: OpenSession; readonly subject: Subject }
  | { readonly refusal: ProblemError | 'wrong factor' }

/**
 * Tokens for the code of a completed sign-in.
 * @throws API-001, AUTH-002 for a code that is not good, spent, old or another browser's, AUTH-006 where a second factor
 * is needed, AUTH-007 for a wrong one, AUTH-008, AUTH-011
 */
export async function exchangeCode(services: IamServices, { body, request }: Exchange): Promise<TokenSet> {
  const { kernel } = services
  const tenantId = tenantOfCode(body.code)
  if (tenantId === null) throw authErrors.invalid()
  if (body.mfa_code !== undefined && body.passkey !== undefined)
    throw apiErrors.validation({ what: 'Give one of mfa_code and passkey.' })
  const scope = { tenantId, origin: originOf(request, null) }
  const given = { code: body.code, verifier: body.code_verifier }
  const beside = await besideCode(services, { scope, given, body, request })
  // Returns, rather than throws, when the code is bad: a spent code stays spent.
  const outcome = await kernel.db.tenant(scope, async (tx): Promise<Outcome> => {
    const flow = await spendCode(kernel, tx, given)
    return flow === null
      ? { refusal: authErrors.invalid() }
      : enter(services, tx, { flow, request, shown: beside?.shown })
  })
  if ('session' in outcome) return tokensOf(services, outcome.session, outcome.subject)
  if (outcome.refusal === 'wrong factor' && beside !== null) return beside.guard.refuse()
  throw outcome.refusal === 'wrong factor' ? authErrors.badLogin() : outcome.refusal
}

interface Showing {
  readonly scope: TenantScope
  readonly given: { readonly code: string; readonly verifier: string }
  readonly body: SsoExchange
  readonly request: RequestInfo
}

/** Reads the second factor that came with the code; null where none came or the code is unknown. */
async function besideCode(services: IamServices, { scope, given, body, request }: Showing) {
  if (body.mfa_code === undefined && body.passkey === undefined) return null
  const { kernel } = services
  const account = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const flow = await seeCode(kernel, tx, given)
    return flow === null ? null : tx.first(accountStatement(sql`u.id = ${flow.user_id}`))
  })
  if (account?.email == null) return null
  const holder = { tenantId: scope.tenantId, userId: account.id }
  const guard = await guardOf(services, { scope, request, userId: account.id, email: account.email })
  const shown =
    body.passkey === undefined
      ? await codeProof(services, holder, body.mfa_code ?? '')
      : await passkeyProof(services, holder, body.passkey)
  return { guard, shown }
}

interface Entering {
  readonly flow: CompletedFlow
  readonly request: RequestInfo
  /** Undefined where nothing was shown, null where it was not good. */
  readonly shown: FreshProof | null | undefined
}

/** Opens a session if the person and the connection are still active. */
async function enter(services: IamServices, tx: Tx, { flow, request, shown }: Entering): Promise<Outcome> {
  const { kernel } = services
  const subject = await findSubject(tx, flow.user_id, kernel.clock.now())
  const connection = await ssoConnections.get(tx, flow.connection_id)
  const account = await tx.first(sql<Account>`${accountStatement(sql`u.id = ${flow.user_id}`)} for update of u`)
  const isOpen = subject?.active === true && subject.tenant_status !== 'deleted' && connection?.status === 'active'
  if (!isOpen || account?.email == null) return { refusal: authErrors.invalid() }
  const named = connection.second_factor_acr
  const said: Proof = {
    amr: shownMethods(flow, named),
    acr: saysTwoFactors(flow, named) ? 'aal2' : 'aal1',
    via: `sso:${connection.id}`,
  }
  const settings = effectiveSettings(account.settings)
  const outside = elsewhere(settings, tx.origin.ip)
  if (outside !== null) return { refusal: outside }
  const lacks = said.acr === 'aal1' && isDemanded(settings, subject.permissions)
  if (!lacks || account.methods.length === 0)
    return open(services, tx, { flow, request, subject, account, proof: said })
  if (shown != null && (await shown.spend(tx))) {
    const proof: Proof = { ...said, amr: [...said.amr, ...shown.proof.amr], acr: 'aal2' }
    return open(services, tx, { flow: { ...flow, auth_time: null }, request, subject, account, proof })
  }
  await waitForFactor(tx, flow)
  if (shown !== undefined) return { refusal: 'wrong factor' }
  return { refusal: oneFactorNotEnough(kernel, { ...account, home: tx.tenantId }) }
}

interface Opening {
  readonly flow: CompletedFlow
  readonly request: RequestInfo
  readonly subject: Subject
  readonly account: Account
  readonly proof: Proof
}

async function open(
  services: IamServices,
  tx: Tx,
  { flow, request, subject, account, proof }: Opening,
): Promise<Outcome> {
  const now = services.kernel.clock.iso()
  const alone = proof.acr === 'aal1'
  const lasting = oneFactorSessionLife(services.kernel, { account, subject, home: tx.tenantId, alone })
  if ('refusal' in lasting) return lasting
  const { life, deadline } = lasting
  // A proof counts from the time the provider reports; a factor shown here, or no reported time, counts from now.
  const at = flow.auth_time === null ? {} : { authTime: Date.parse(flow.auth_time) }
  const deviceId = knownDeviceId(services.kernel, request, account.email)
  const who = { userId: subject.id, email: account.email, life, proof, deviceId, ...at }
  const session = await openSession(services, tx, who)
  await ssoSessions.insert(tx, {
    tenant_id: tx.tenantId,
    session_id: session.id,
    connection_id: flow.connection_id,
    subject: flow.subject,
    idp_sid: flow.idp_sid,
  })
  await tx.execute(sql`
    update iam_user set last_login_at = ${now}, last_active_at = ${now}, mfa_deadline = ${deadline}
    where id = ${subject.id}`)
  await used(tx, subject.id, now)
  return { session, subject }
}
