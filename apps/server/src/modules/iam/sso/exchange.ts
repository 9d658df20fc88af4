import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/http/errors.ts'
import type { RequestInfo } from '../../../kernel/route.ts'
import { used } from '../directory.ts'
import type { TokenSet } from '../schemas/auth.ts'
import type { SsoExchange } from '../schemas/sso.ts'
import { type IamServices, originOf } from '../services.ts'
import { openSession, type Proof, tokensOf } from '../sign-in/open-session.ts'
import { sessionLife } from '../sign-in/session-life.ts'
import { findSubject } from '../subjects.ts'
import { settingsOf } from '../tenant-settings.ts'
import { type CompletedFlow, spendCode, tenantOfCode } from './flows.ts'
import { ssoSessions } from './tables.ts'

export interface Exchange {
  readonly body: SsoExchange
  readonly request: RequestInfo
}

/** Tokens for the code of a completed sign-in. @throws AUTH-002 for a code that is not good, spent, old or another browser's */
export async function exchangeCode(services: IamServices, { body, request }: Exchange): Promise<TokenSet> {
  const { kernel } = services
  const tenantId = tenantOfCode(body.code)
  if (tenantId === null) throw authErrors.invalid()
  const scope = { tenantId, origin: originOf(request, null) }
  // Returns, rather than throws, when the code is bad: what was spent stays spent.
  const opened = await kernel.db.tenant(scope, async (tx) => {
    const flow = await spendCode(kernel, tx, { code: body.code, verifier: body.code_verifier })
    return flow === null ? null : enter(services, tx, flow)
  })
  if (opened === null) throw authErrors.invalid()
  return tokensOf(services, opened.session, opened.subject)
}

/** Opens the session of somebody who is still active and whose connection still is. */
async function enter(services: IamServices, tx: Tx, flow: CompletedFlow) {
  const { clock } = services.kernel
  const subject = await findSubject(tx, flow.user_id, clock.now())
  const account = await tx.first(sql<{ email: string | null }>`
    select u.email
    from iam_user u
    join iam_sso_connection c on c.id = ${flow.connection_id} and c.status = 'active'
    where u.id = ${flow.user_id}
    for update of u`)
  if (subject?.active !== true || subject.tenant_status === 'deleted' || account?.email == null) return null
  const session = await openSession(services, tx, {
    userId: subject.id,
    email: account.email,
    life: sessionLife(await settingsOf(tx, tx.tenantId), subject),
    proof: { ...strengthOf(flow.amr), via: `sso:${flow.connection_id}` },
  })
  await ssoSessions.insert(tx, {
    tenant_id: tx.tenantId,
    session_id: session.id,
    connection_id: flow.connection_id,
    subject: flow.subject,
    idp_sid: flow.idp_sid,
  })
  await rememberLogin(tx, subject.id, clock.iso())
  return { session, subject }
}

async function rememberLogin(tx: Tx, userId: string, now: string): Promise<void> {
  await tx.execute(sql`update iam_user set last_login_at = ${now}, last_active_at = ${now} where id = ${userId}`)
  await used(tx, userId, now)
}

/** Registered names of RFC 8176; the provider's own words stay in its house. */
const methods = new Set([
  'pwd',
  'pin',
  'otp',
  'hwk',
  'swk',
  'sms',
  'tel',
  'fpt',
  'face',
  'iris',
  'retina',
  'vbm',
  'wia',
  'kba',
  'rba',
  'sc',
  'pop',
  'geo',
  'mca',
  'user',
  'mfa',
])

/** What the provider said about how it knows the person. Only several factors in so many words are two factors here. */
function strengthOf(amr: readonly string[]): Pick<Proof, 'amr' | 'acr'> {
  return { amr: ['sso', ...amr.filter((method) => methods.has(method))], acr: amr.includes('mfa') ? 'aal2' : 'aal1' }
}
