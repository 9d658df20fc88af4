/**
 * Where a tenant requires the people of a domain to sign in over its connection, a password does not let them in,
 * right or wrong, and neither does a passkey, except for at most two emergency accounts, whose every use
 * raises an event. An attacker who guesses learns the same in the same time about all addresses of the domain. Tested
 * in ../connections/connections.test.ts and ../../passkeys/passkeys.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { authErrors } from '../../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { emailKey } from '../../directory/email-address.ts'
import { tellAdministrators } from '../../mail/administrators.ts'
import type { Login } from '../../schemas/auth.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { breakGlassUsed } from '../events.ts'
import { connectionOfEmail, type Placed } from '../lookup.ts'

export interface PasswordAttempt {
  readonly body: Pick<Login, 'email' | 'password'>
  readonly request: RequestInfo
}

/** Runs a sign-in by password where one may be used. @throws AUTH-013 where single sign-on is enforced */
export async function unlessSsoEnforced<T>(
  services: IamServices,
  attempt: PasswordAttempt,
  signIn: () => Promise<T>,
): Promise<T> {
  const key = emailKey(attempt.body.email)
  const found = await connectionOfEmail(services.kernel, key)
  const named = attempt.request.header('x-tenant-id')
  // The rule is the domain's owner's; an account of the same address in another tenant is none of its business.
  const rules = found?.connection.enforced === true && (named === undefined || named.toLowerCase() === found.home)
  if (found === null || !rules) return signIn()
  const userId = await breakGlassUser(services, found, key)
  if (userId === null) {
    await services.passwords.verify(null, attempt.body.password)
    throw authErrors.ssoRequired()
  }
  const signedIn = await signIn().catch((error: unknown) => {
    // Refused like any other address of the domain: the emergency accounts must not be discoverable.
    const isGuess = error instanceof ProblemError && (error.code === 'AUTH-007' || error.code === 'AUTH-008')
    throw isGuess ? authErrors.ssoRequired().causedBy(error) : error
  })
  await raiseAlarm(services, { placed: found, userId, request: attempt.request })
  return signedIn
}

export interface PasskeyAttempt {
  readonly home: TenantId
  readonly userId: string
  readonly request: RequestInfo
}

/**
 * Whether a valid passkey may let its owner in: a person who has left the provider has left here too. Returns the step
 * to take after the sign-in. @throws AUTH-013 where single sign-on is enforced
 */
export async function passkeyUnlessSsoEnforced(
  services: IamServices,
  { home, userId, request }: PasskeyAttempt,
): Promise<() => Promise<void>> {
  const [owner] = await services.kernel.db.read(
    home,
    sql<{ key: string | null }>`select email_key as key from iam_user where id = ${userId}`,
  )
  const found = owner?.key == null ? null : await connectionOfEmail(services.kernel, owner.key)
  if (found === null || !found.connection.enforced || found.home !== home) return async () => {}
  if (!found.connection.break_glass_user_ids.includes(userId)) throw authErrors.ssoRequired()
  return () => raiseAlarm(services, { placed: found, userId, request })
}

async function breakGlassUser(
  { kernel }: IamServices,
  { home, connection }: Placed,
  key: string,
): Promise<string | null> {
  const [row] = await kernel.db.read(
    home,
    sql<{ id: string }>`
      select id from iam_user where email_key = ${key} and id = any(${connection.break_glass_user_ids}::uuid[])`,
  )
  return row?.id ?? null
}

async function raiseAlarm(
  { kernel }: IamServices,
  { placed, userId, request }: { readonly placed: Placed; readonly userId: string; readonly request: RequestInfo },
): Promise<void> {
  const connection_id = placed.connection.id
  await kernel.db.tenant({ tenantId: placed.home, origin: originOf(request, null) }, async (tx) => {
    await tx.audit('auth.break_glass', { target: `user:${userId}`, after: { connection_id } })
    await tellAdministrators(kernel, tx, { notice: 'break_glass', about: userId })
    await tx.emit(breakGlassUsed, `user/${userId}`, { user_id: userId, connection_id })
  })
}
