/**
 * Outcome of a sign-in with one factor, a password or a provider that reports no second one: a session, a session
 * limited to the grace period, or a refusal that carries a token to continue with. Tested in ../factors/mfa.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { challengeLife, makeChallenge } from '../mfa/challenge.ts'
import { graceOf, isDemanded } from '../mfa/requirement.ts'
import type { Subject } from '../rights/subjects.ts'
import { effectiveSettings } from '../settings/settings.ts'
import type { Account, HomedAccount } from './find-account.ts'
import { type SessionLife, sessionLife } from './session-life.ts'

/** AUTH-006 with the next step: a factor of the account is asked for, or one has to be enrolled. */
export function oneFactorNotEnough(kernel: Kernel, account: HomedAccount, allowed?: readonly string[]): ProblemError {
  const enroll = account.methods.length === 0
  const who = { tenantId: account.home, userId: account.id }
  const mfa = {
    methods: enroll ? [...(allowed ?? [])] : [...account.methods, 'recovery_code'],
    challenge: makeChallenge(kernel, who, account.password_hash),
    enrollment_required: enroll,
    expires_in: challengeLife,
  }
  return authErrors.mfaRequired().withMembers({ mfa })
}

export interface Lasting {
  readonly life: SessionLife
  readonly deadline: string | null
}

export interface Opened {
  readonly account: Account
  readonly subject: Subject
  readonly home: TenantId
  /** By one factor. */
  readonly alone: boolean
}

/** How long the session may live, and the user's deadline from now on; AUTH-006 as the refusal when the grace is over. */
export function oneFactorSessionLife(
  kernel: Kernel,
  { account, subject, home, alone }: Opened,
): Lasting | { readonly refusal: ProblemError } {
  const settings = effectiveSettings(account.settings)
  const life = sessionLife(settings, subject)
  const now = kernel.clock.now()
  const grace = graceOf(alone && isDemanded(settings, subject.permissions), account.mfa_deadline, now)
  if (grace.state === 'over')
    return { refusal: oneFactorNotEnough(kernel, { ...account, home }, settings.mfa_allowed_methods) }
  if (grace.state === 'not_demanded') return { life, deadline: null }
  const absoluteMs = Math.min(life.absoluteMs, grace.sessionEnds - now)
  return { life: { ...life, absoluteMs }, deadline: new Date(grace.deadline).toISOString() }
}
