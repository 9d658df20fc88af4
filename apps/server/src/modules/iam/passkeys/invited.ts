/**
 * A passkey as a person's first credential: made for an invitation, with a challenge that is valid only for that
 * invitation. Tested in invited.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { type FoundInvitation, findInvitation } from '../mail/invitation-lookup.ts'
import { makeCodes, type NewCodes, storeCodes } from '../mfa/recovery.ts'
import type { AcceptInvitation } from '../schemas/auth.ts'
import type { RegistrationResponse } from '../schemas/webauthn.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { useChallenge } from '../webauthn/relying-party.ts'
import { creationOptions, insertKey, type VerifiedKey, verifiedKey } from './register.ts'

/** @throws API-011 where the tenant allows no passkeys, AUTH-002, AUTH-003 */
export async function invitationOptions(services: IamServices, token: string) {
  const found = await findInvitation(services, token)
  await assertAllowed(services, found)
  const { userId, invited } = found
  return creationOptions(services.kernel, { userId, email: invited.email, purpose: purposeOf(found), excluded: [] })
}

const purposeOf = ({ home, userId, digest }: FoundInvitation): string => `invitation/${home}/${userId}/${digest}`

async function assertAllowed({ kernel }: IamServices, { home }: FoundInvitation): Promise<void> {
  const { mfa_allowed_methods: allowed } = await kernel.db.tenant({ tenantId: home, readOnly: true }, (tx) =>
    settingsOf(tx, home),
  )
  if (!allowed.includes('passkey')) throw apiErrors.conflict({ what: 'This tenant does not allow passkeys.' })
}

export interface FirstPasskey {
  readonly made: VerifiedKey
  readonly codes: NewCodes
}

/** @throws API-011, AUTH-015 */
export async function firstPasskey(
  services: IamServices,
  found: FoundInvitation,
  credential: RegistrationResponse,
): Promise<FirstPasskey> {
  await assertAllowed(services, found)
  const made = await verifiedKey(services.kernel, purposeOf(found), credential)
  return { made, codes: await makeCodes(services) }
}

/** @throws AUTH-015 for an answer that was given before */
export async function storeFirstPasskey(
  services: IamServices,
  tx: Tx,
  first: { readonly userId: string; readonly passkey: FirstPasskey; readonly body: AcceptInvitation },
): Promise<void> {
  const { kernel } = services
  const { userId, passkey, body } = first
  const { response } = body.credential ?? {}
  if (response === undefined || !(await useChallenge(kernel, tx, response.clientDataJSON))) {
    throw authErrors.assertionRefused()
  }
  const id = kernel.random.uuid()
  const transports = response.transports ?? []
  await insertKey(kernel, tx, { id, userId, name: 'Passkey', made: passkey.made, transports })
  await storeCodes(services, tx, { userId, hashes: passkey.codes.hashes })
  await tx.audit('auth.mfa.add', { target: `user:${userId}`, after: { factor_id: id, kind: 'passkey' } })
}
