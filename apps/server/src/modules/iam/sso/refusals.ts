/**
 * Reasons why a sign-in over a connection failed. The details are for the tenant's administrators, in the audit log
 * and the connection's health; the person in front of the browser, who may be anybody, learns only that it failed.
 */
import { authErrors } from '../../../kernel/errors/errors.ts'

export class SsoRefusal extends Error {
  readonly by: 'us' | 'provider'

  constructor(by: 'us' | 'provider', reason: string, cause?: unknown) {
    super(reason, cause === undefined ? {} : { cause })
    this.name = 'SsoRefusal'
    this.by = by
  }
}

/** The assertion, or whom it stands for, was not accepted: AUTH-015. */
export const refused = (reason: string, cause?: unknown): SsoRefusal => new SsoRefusal('us', reason, cause)

/** The identity provider did not answer as it has to: AUTH-014. */
export const providerFailed = (reason: string, cause?: unknown): SsoRefusal => new SsoRefusal('provider', reason, cause)

export function problemOf(refusal: SsoRefusal) {
  const error = refusal.by === 'provider' ? authErrors.identityProviderFailed() : authErrors.assertionRefused()
  return error.causedBy(refusal)
}

const longestReason = 300

/** A reason as it is stored: one line, bounded. */
export function reasonText(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown'
  return text.replaceAll(/\s+/g, ' ').slice(0, longestReason)
}
