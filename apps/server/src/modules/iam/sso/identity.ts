import { refused } from './refusals.ts'
import type { ConnectionRow } from './tables.ts'

/** A person an identity provider has vouched for, after all checks of its protocol. */
export interface AssertedIdentity {
  /** Stable at this provider; OIDC `sub`, SAML `NameID`. */
  readonly subject: string
  readonly email: string | null
  /** The provider said so, or the connection's administrator vouches for it and the provider did not say otherwise. */
  readonly emailVerified: boolean
  readonly name: string | null
  readonly groups: readonly string[]
  /** False where the provider says that there are more groups than it names: then nothing follows from a missing one. */
  readonly groupsComplete: boolean
  readonly acr: string | null
  readonly amr: readonly string[]
  /** The person's last authentication at the provider, Unix milliseconds; null where it does not say. */
  readonly authTime: number | null
  /** The provider's identifier of its session; OIDC `sid`, SAML `SessionIndex`. */
  readonly idpSid: string | null
}

const longestSubject = 255
const longestEmail = 254
const mostGroups = 1000

/** Bounds what is stored and compared. @throws SsoRefusal */
export function bounded(identity: AssertedIdentity): AssertedIdentity {
  if (identity.subject === '' || identity.subject.length > longestSubject)
    throw refused('the subject is missing or longer than 255 characters')
  if (identity.groups.length > mostGroups) throw refused(`more than ${mostGroups} groups were named`)
  const email = identity.email !== null && identity.email.length <= longestEmail ? identity.email : null
  return { ...identity, email, name: identity.name?.slice(0, 200) ?? null }
}

/** Checks the required strength of the sign-in at the provider. @throws SsoRefusal */
export function assertStrongEnough(
  { required_acr, required_amr }: Pick<ConnectionRow, 'required_acr' | 'required_amr'>,
  identity: Pick<AssertedIdentity, 'acr' | 'amr'>,
): void {
  if (required_acr.length > 0 && (identity.acr === null || !required_acr.includes(identity.acr)))
    throw refused(
      `the provider signed the person in at ${identity.acr ?? 'no named level'}, which is not a required one`,
    )
  if (required_amr.length > 0 && !identity.amr.some((method) => required_amr.includes(method)))
    throw refused('none of the required authentication methods was used at the provider')
}
