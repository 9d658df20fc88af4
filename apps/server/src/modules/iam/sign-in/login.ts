/**
 * Sign-in with e-mail and password, and a code where the account has a second factor. Every refusal costs the same
 * reads, one hash and one transaction, says the same and leaves at an even time, whatever its reason; status is looked
 * at after the hash. Only a caller with the right password learns that it is not enough. Tested in login.test.ts and
 * ../factors/mfa.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { directoryDigest } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { type Bucket, bucketOf, type Device } from '../guessing/device.ts'
import {
  accountDigest,
  assertAddressAllowed,
  assertNotBlocked,
  countAddressFailure,
  countFailure,
  countInRow,
  forgetRow,
  lockedGuard,
} from '../guessing/guard.ts'
import { lockAfter } from '../guessing/guessing.ts'
import { type CodeProof, readCode, spendCode } from '../mfa/use-code.ts'
import { findSubject, type Subject } from '../rights/subjects.ts'
import type { Login, TokenSet } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { effectiveSettings } from '../settings/settings.ts'
import { atNextStep, stepsMs } from './even-time.ts'
import {
  type Account,
  accountStatement,
  findAccount,
  findHome,
  type HomedAccount,
  hasLapsedPassword,
  mayEnter,
} from './find-account.ts'
import { lockAccount, unlockAccount } from './lock-account.ts'
import { elsewhere } from './networks.ts'
import { byPassword, byPasswordAndCode, type OpenSession, openSession, tokensOf } from './open-session.ts'
import { oneFactorNotEnough, oneFactorSessionLife } from './second-factor.ts'

export interface LoginAttempt {
  readonly body: Login
  readonly request: RequestInfo
  readonly device: Device
}

/** @throws AUTH-007 for every reason to refuse, AUTH-006 where the password is right and not enough, AUTH-011, AUTH-008 while guessing is slowed down */
export async function login(services: IamServices, attempt: LoginAttempt): Promise<TokenSet> {
  const { kernel, passwords } = services
  const { body, request } = attempt
  const startedMs = kernel.clock.monotonic()
  const bucket = await bucketOf(kernel, request, body.email)
  // Neighbors of a known browser may guess at one address with it; its own count slows it down.
  if (!bucket.known) await assertAddressAllowed(kernel, request.ip)
  const search = { digest: bucket.digest, email: body.email, tenantHeader: request.header('x-tenant-id') }
  const home = await findHome(kernel, search)
  const account = await findAccount(kernel, home ?? platformTenant, body.email)
  const proven = await passwords.verify(account?.password_hash ?? null, body.password)
  const known = account !== null && home !== null ? { ...account, home } : null
  const entered = { attempt, bucket, account: known, startedMs }
  if (!proven || known === null || !maySignIn(services, known, bucket)) return refuse(services, entered)
  const opened = await enter(services, { ...entered, account: known, code: await codeProof(services, known, body) })
  if (opened === null) return refuse(services, entered)
  return tokensOf(services, opened.session, opened.subject)
}

function maySignIn({ kernel }: IamServices, account: Account, bucket: Bucket): boolean {
  const now = kernel.clock.now()
  return mayEnter(account, { now, evenLocked: bucket.known }) && !hasLapsedPassword(account, now)
}

interface Entered {
  readonly attempt: LoginAttempt
  readonly bucket: Bucket
  readonly account: HomedAccount | null
  readonly startedMs: number
}

/** The code beside the password: a good one, a wrong one, or none where none is needed or given. */
type Beside = CodeProof | 'wrong' | 'none'

async function codeProof(services: IamServices, account: HomedAccount, { mfa_code: code }: Login): Promise<Beside> {
  if (account.methods.length === 0 || code === undefined) return 'none'
  return (await readCode(services, { tenantId: account.home, userId: account.id, code })) ?? 'wrong'
}

interface Entering extends Entered {
  readonly account: HomedAccount
  readonly code: Beside
}

/** Opens the session, unless the account or its guard changed while the hash was computed. @throws AUTH-006 */
async function enter(
  services: IamServices,
  entering: Entering,
): Promise<{ session: OpenSession; subject: Subject } | null> {
  const { kernel, passwords } = services
  const { account, attempt, code } = entering
  if (code === 'wrong') return null
  const rehashed =
    account.password_hash !== null && passwords.outdated(account.password_hash)
      ? await passwords.hash(attempt.body.password)
      : account.password_hash
  const scope = { tenantId: account.home, origin: originOf(attempt.request, null) }
  return kernel.db.tenant(scope, async (tx) => {
    // Asked for together, so that they travel in one flush; the locks are taken in this order.
    const [guard, current, subject] = await Promise.all([
      lockedGuard(tx, entering.bucket.digest),
      tx.first(sql<Account>`${accountStatement(sql`u.id = ${account.id}`)} for update of u`),
      findSubject(tx, account.id, kernel.clock.now()),
    ])
    assertNotBlocked(guard, kernel.clock.now())
    const unchanged = current !== null && current.password_hash === account.password_hash
    if (!unchanged || subject === null || !maySignIn(services, current, entering.bucket)) return null
    if (code === 'none' && current.methods.length > 0)
      throw oneFactorNotEnough(kernel, { ...current, home: tx.tenantId })
    if (code !== 'none' && !(await spendCode(services, tx, code))) return null
    return openFor(services, tx, { ...entering, account: current, subject, passwordHash: rehashed })
  })
}

interface Opening {
  readonly attempt: LoginAttempt
  readonly account: Account
  readonly subject: Subject
  readonly code: Beside
  readonly bucket: Bucket
  readonly passwordHash: string | null
}

async function openFor(services: IamServices, tx: Tx, opening: Opening) {
  const { attempt, account, subject, code } = opening
  const outside = elsewhere(effectiveSettings(account.settings), tx.origin.ip)
  if (outside !== null) throw outside
  const alone = code === 'none'
  const lasting = oneFactorSessionLife(services.kernel, { account, subject, home: tx.tenantId, alone })
  if ('refusal' in lasting) throw lasting.refusal
  const { life, deadline } = lasting
  if (account.status === 'locked') await unlockAccount(services, tx, { userId: account.id, how: 'known_device' })
  const proof = alone ? byPassword : byPasswordAndCode
  const [session] = await Promise.all([
    openSession(services, tx, {
      userId: account.id,
      email: account.email,
      life,
      proof,
      deviceId: attempt.device.id,
    }),
    rememberLogin(services, tx, { ...opening, deadline }),
  ])
  return { session, subject }
}

async function rememberLogin(
  { kernel }: IamServices,
  tx: Tx,
  who: Opening & { readonly deadline: string | null },
): Promise<void> {
  const now = kernel.clock.iso()
  const { account, bucket } = who
  const entry = directoryDigest(kernel.platformKeys, 'email', emailKey(account.email))
  await Promise.all([
    tx.execute(sql`
      update iam_user
      set last_login_at = ${now}, last_active_at = ${now}, password_hash = ${who.passwordHash}, mfa_deadline = ${who.deadline}
      where id = ${account.id}`),
    tx.execute(sql`
      update iam_directory set last_used_at = ${now}
      where kind = 'email' and digest = ${entry} and home = ${tx.tenantId}`),
    forgetRow(tx, accountDigest(kernel, tx.tenantId, account.email)),
    bucket.known ? forgetRow(tx, bucket.rowDigest(tx.tenantId)) : null,
  ])
}

/** Counts the failure with the same statements, on the same rows, for accounts that exist and for those that do not. */
async function refuse(services: IamServices, { attempt, bucket, account, startedMs }: Entered): Promise<never> {
  const { kernel } = services
  const scope = { tenantId: account?.home ?? platformTenant, origin: originOf(attempt.request, null) }
  await countAddressFailure(kernel, attempt.request.ip)
  const counted = await kernel.db.tenant(scope, async (tx) => ({
    before: await countFailure(tx, bucket.digest, kernel.clock.now()),
    inRow: await countInRow(tx, bucket.rowDigest(scope.tenantId), kernel.clock.now()),
  }))
  if (account !== null) {
    services.failures.failed(account.home, account.id)
    // Apart from the counting: this one locks the account's row, which sign-in holds while it waits for the counts.
    if (counted.inRow >= lockAfter) await kernel.db.tenant(scope, (tx) => lockAccount(services, tx, account.id))
  }
  await atNextStep(kernel.clock, { startedMs, stepMs: stepsMs[kernel.config.passwordHashing] })
  assertNotBlocked(counted.before, kernel.clock.now())
  throw authErrors.badLogin()
}
