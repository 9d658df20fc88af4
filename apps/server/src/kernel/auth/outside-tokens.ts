/**
 * Callers with a token of an outside issuer that is bound to a service account. Promises that such a token gives what the
 * account may do at this moment and never reaches across tenants, and that a binding that was removed counts no more.
 * Whether a token is good and bound, the identity module says. Tested in modules/iam/outside-tokens/outside-tokens.test.ts.
 */
import type { Actor } from '../access/actor.ts'
import { everyPermission } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import { authErrors } from '../errors/errors.ts'
import { keyActor } from './actors.ts'
import type { OutsideCredential, StoredApiKey, SubjectRights } from './port.ts'
import type { RevocationList } from './revocation.ts'
import type { Subjects } from './subjects.ts'
import { createTokenCache } from './token-cache.ts'

/** Of a bearer token, and the tenant that the request names. */
export type OutsideTokens = (token: string, tenant: string | undefined) => Promise<Actor>

interface Parts {
  readonly clock: Pick<Clock, 'now'>
  readonly subjects: Pick<Subjects, 'rights' | 'source'>
  readonly revocations: Pick<RevocationList, 'isFresh' | 'isRevoked'>
}

const tokensHeld = 10_000
/** Seconds for which a token that was found good is not checked again; less than revocations are remembered. */
const heldSeconds = 300

/** @throws by the function: AUTH-002, AUTH-003, API-009 */
export function createOutsideTokens({ clock, subjects, revocations }: Parts): OutsideTokens {
  const cache = createTokenCache<OutsideCredential>(tokensHeld, clock.now)
  const credentialOf = async (token: string, tenant: string | undefined): Promise<OutsideCredential> => {
    const held = cache.get(`${tenant ?? ''} ${token}`)
    if (held !== undefined) return held
    const found = await subjects.source().outsideToken(token, tenant)
    if (found === null) throw authErrors.invalid()
    const soon = Math.floor(clock.now() / 1000) + heldSeconds
    cache.set(`${tenant ?? ''} ${token}`, found, Math.min(found.expiresAt, soon))
    return found
  }
  return async (token, tenant) => {
    const { bindingId, tenantId, ownerId, expiresAt } = await credentialOf(token, tenant)
    if (expiresAt * 1000 <= clock.now()) throw authErrors.expired()
    const rights = await subjects.rights(`${tenantId}/${ownerId}`, revocations.isFresh() ? 'memory' : 'source')
    // Asked last, so that a revocation that came while the rights were read counts.
    if (await revocations.isRevoked({ sub: ownerId, tid: tenantId, sid: null, keyId: bindingId }))
      throw authErrors.invalid()
    return outsideActor({ bindingId, tenantId, ownerId, expiresAt }, rights)
  }
}

/** As a key of the service account that allows all that the account may do. @throws AUTH-002 */
function outsideActor(
  { bindingId, tenantId, ownerId, expiresAt }: OutsideCredential,
  rights: SubjectRights | null,
): Actor {
  if (rights?.isService !== true) throw authErrors.invalid()
  const key: StoredApiKey = {
    ...{ id: bindingId, tenantId, ownerId, expiresAt, revoked: false, secretHash: '' },
    ...{ scopes: everyPermission, allowedCidrs: [], rateLimitPerMinute: null },
  }
  return Object.freeze({ ...keyActor(key, [rights]), operator: false })
}
