/**
 * A second factor of an account, shown: a code or a passkey. It is looked at outside of any transaction and spent in the
 * one that it opens something in. Guessing at it is slowed down as guessing at the password is. Tested in mfa.test.ts and
 * ../sso/sign-in/second-factor.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { bucketOf } from '../guessing/device.ts'
import {
  assertAddressAllowed,
  assertNotBlocked,
  countAddressFailure,
  countFailure,
  lockedGuard,
} from '../guessing/guard.ts'
import { readCode, spendCode } from '../mfa/use-code.ts'
import type { AuthenticationResponse } from '../schemas/webauthn.ts'
import type { IamServices } from '../services/iam-services.ts'
import type { Proof } from '../sign-in/open-session.ts'
import { judgeAssertion, methodsOf, spendAssertion } from '../webauthn/assertion.ts'

/** Spends what was proved; false when it was spent meanwhile. */
export interface FreshProof {
  readonly proof: Pick<Proof, 'amr' | 'acr'>
  readonly spend: (tx: Tx) => Promise<boolean>
}

export interface Holder {
  readonly tenantId: TenantId
  readonly userId: string
}

export async function codeProof(services: IamServices, holder: Holder, code: string): Promise<FreshProof | null> {
  const read = await readCode(services, { ...holder, code })
  if (read === null) return null
  return { proof: { amr: ['otp', 'mfa'], acr: 'aal2' }, spend: (tx) => spendCode(services, tx, read) }
}

export async function passkeyProof(
  services: IamServices,
  holder: Holder,
  response: AuthenticationResponse,
): Promise<FreshProof | null> {
  const judged = await judgeAssertion(services, response)
  if ('refused' in judged) return null
  const { good } = judged
  if (good.home !== holder.tenantId || good.factor.user_id !== holder.userId) return null
  return {
    proof: { amr: [...methodsOf(good), 'mfa'], acr: 'aal2' },
    spend: (tx) => spendAssertion(services, tx, good),
  }
}

export interface Guarded {
  readonly scope: TenantScope
  readonly request: RequestInfo
  readonly userId: string
  readonly email: string
}

/** Counts what is shown in vain for an account that is known. @throws AUTH-008 while it has to wait */
export async function guardOf({ kernel, failures }: IamServices, { scope, request, userId, email }: Guarded) {
  const bucket = await bucketOf(kernel, request, email)
  if (!bucket.known) await assertAddressAllowed(kernel, request.ip)
  await kernel.db.tenant(scope, async (tx) =>
    assertNotBlocked(await lockedGuard(tx, bucket.digest), kernel.clock.now()),
  )
  return {
    /** @throws AUTH-007, AUTH-008 */
    refuse: async (): Promise<never> => {
      await countAddressFailure(kernel, request.ip)
      const before = await kernel.db.tenant(scope, (tx) => countFailure(tx, bucket.digest, kernel.clock.now()))
      failures.failed(scope.tenantId, userId)
      assertNotBlocked(before, kernel.clock.now())
      throw authErrors.badLogin()
    },
  }
}
