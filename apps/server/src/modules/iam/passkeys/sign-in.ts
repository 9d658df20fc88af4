/**
 * Sign-in by passkey, which is two factors at once: the key, and the authenticator's verification of its user. Password
 * guessing never blocks it, and it lifts a lock caused by guessing. Tested in passkeys.test.ts.
 */
import { generateAuthenticationOptions } from '@simplewebauthn/server'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { used } from '../directory/directory.ts'
import { deviceOf } from '../guessing/device.ts'
import { isGenuine, readChallenge } from '../mfa/challenge.ts'
import { findSubject } from '../rights/subjects.ts'
import type { AuthenticationOptionsAsk, PasskeyLogin } from '../schemas/passkeys.ts'
import type { IamServices } from '../services/iam-services.ts'
import { effectiveSettings } from '../settings/settings.ts'
import { type Account, accountStatement, mayEnter } from '../sign-in/find-account.ts'
import { unlockAccount } from '../sign-in/lock-account.ts'
import { elsewhere } from '../sign-in/networks.ts'
import { openSession, tokensOf } from '../sign-in/open-session.ts'
import { sessionLife } from '../sign-in/session-life.ts'
import { passkeyUnlessSsoEnforced } from '../sso/sign-in/enforced.ts'
import {
  type Assertion,
  judgeAssertion,
  methodsOf,
  type Refusal,
  signInPurpose,
  spendAssertion,
} from '../webauthn/assertion.ts'
import { ceremonyMs, newChallenge, relyingParty } from '../webauthn/relying-party.ts'

/** The same for all callers; only one with the right password learns which passkeys the account has. */
export async function authenticationOptions(services: IamServices, body: AuthenticationOptionsAsk) {
  const { kernel } = services
  const { id } = relyingParty(kernel)
  const made = await generateAuthenticationOptions({
    rpID: id,
    challenge: newChallenge(kernel, signInPurpose),
    timeout: ceremonyMs,
    userVerification: 'required',
  })
  const allowed = body.challenge === undefined ? [] : await passkeysBehind(services, body.challenge)
  return {
    challenge: made.challenge,
    rpId: id,
    timeout: ceremonyMs,
    userVerification: 'required' as const,
    allowCredentials: allowed.map((one) => ({
      id: one.id,
      type: 'public-key' as const,
      transports: [...one.transports],
    })),
  }
}

async function passkeysBehind({ kernel }: IamServices, challenge: string) {
  const who = readChallenge(challenge, kernel.clock)
  if (who === null) throw authErrors.invalid()
  const [account] = await kernel.db.read(who.tenantId, accountStatement(sql`u.id = ${who.userId}`))
  if (account === undefined || !isGenuine(kernel, challenge, account.password_hash)) throw authErrors.invalid()
  return kernel.db.read(
    who.tenantId,
    sql<{ id: string; transports: readonly string[] }>`
      select credential_id as id, transports from iam_factor
      where user_id = ${who.userId} and kind = 'passkey' and status = 'active'`,
  )
}

/** @throws AUTH-011, AUTH-013, AUTH-015 for every other reason to refuse; which one is in the audit log of the passkey's tenant */
export async function passkeyLogin(
  services: IamServices,
  { body, request }: { readonly body: PasskeyLogin; readonly request: RequestInfo },
) {
  const { kernel } = services
  const judged = await judgeAssertion(services, body.credential)
  if ('refused' in judged) return refuse(services, request, judged.refused)
  const { good } = judged
  const entered = await passkeyUnlessSsoEnforced(services, { home: good.home, userId: good.factor.user_id, request })
  const origin = originOf(request, null)
  const opened = await kernel.db.tenant({ tenantId: good.home, origin }, (tx) =>
    enter(services, tx, { assertion: good, request }),
  )
  if (opened === null) {
    return refuse(services, request, {
      home: good.home,
      factorId: good.factor.id,
      userId: good.factor.user_id,
      why: 'repeated, or not an account to enter',
    })
  }
  await entered()
  return { tokens: await tokensOf(services, opened.session, opened.subject), cookie: opened.device.cookie }
}

async function refuse({ kernel }: IamServices, request: RequestInfo, refusal: Refusal | null): Promise<never> {
  if (refusal !== null) {
    await kernel.db.tenant({ tenantId: refusal.home, origin: originOf(request, null) }, (tx) =>
      tx.audit('auth.passkey_login', {
        target: `factor:${refusal.factorId}`,
        from: refusal.userId,
        reason: refusal.why,
        result: 'refused',
      }),
    )
  }
  throw authErrors.assertionRefused()
}

interface Entering {
  readonly assertion: Assertion
  readonly request: RequestInfo
}

async function enter(services: IamServices, tx: Tx, { assertion, request }: Entering) {
  const { kernel } = services
  const userId = assertion.factor.user_id
  const account = await tx.first(sql<Account>`${accountStatement(sql`u.id = ${userId}`)} for update of u`)
  if (account === null || !mayEnter(account, { now: kernel.clock.now(), evenLocked: true })) return null
  if (!(await spendAssertion(services, tx, assertion))) return null
  const settings = effectiveSettings(account.settings)
  const outside = elsewhere(settings, tx.origin.ip)
  if (outside !== null) throw outside
  if (account.status === 'locked') await unlockAccount(services, tx, { userId, how: 'passkey' })
  const subject = await findSubject(tx, userId, kernel.clock.now())
  if (subject === null) return null
  const life = sessionLife(settings, subject)
  const proof = { amr: methodsOf(assertion), acr: 'aal2', via: 'passkey' } as const
  const device = deviceOf(kernel, request, account.email)
  const session = await openSession(services, tx, { userId, email: account.email, life, proof, deviceId: device.id })
  const now = kernel.clock.iso()
  await tx.execute(sql`update iam_user set last_login_at = ${now}, last_active_at = ${now} where id = ${userId}`)
  await used(tx, userId, now)
  return { session, subject, device }
}
