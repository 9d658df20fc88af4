/**
 * The proof in an authenticator's answer: the account whose passkey signed our challenge, at our origin, with its user
 * verified. Checked outside of any transaction; spent in the transaction that uses it. Tested in
 * ../passkeys/passkeys.test.ts.
 */
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { directoryDigest, homeOf } from '../directory/directory.ts'
import type { AuthenticationResponse } from '../schemas/webauthn.ts'
import type { IamServices } from '../services/iam-services.ts'
import { isOwnChallenge, relyingParty, useChallenge } from './relying-party.ts'

/** The only use an answer to an authentication challenge is valid for. */
export const signInPurpose = 'sign-in'

interface Stored {
  readonly id: string
  readonly user_id: string
  readonly credential_id: string
  readonly public_key: Uint8Array<ArrayBuffer>
  readonly sign_count: number
}

export interface Assertion {
  readonly home: TenantId
  readonly factor: Stored
  readonly newCount: number
  readonly synced: boolean
  readonly clientData: string
}

/** The location of a passkey, and why its answer is invalid: for the audit log, never for the caller. */
export interface Refusal {
  readonly home: TenantId
  readonly factorId: string
  readonly userId: string
  readonly why: string
}

export type Judged = { readonly good: Assertion } | { readonly refused: Refusal | null }

export async function judgeAssertion(services: IamServices, response: AuthenticationResponse): Promise<Judged> {
  const { kernel } = services
  const digest = directoryDigest(kernel.platformKeys, 'passkey', response.id)
  const found = await homeOf(kernel.db, { kind: 'passkey', digest })
  if (found === null) return { refused: null }
  const [factor] = await kernel.db.read(
    found.home,
    sql<Stored>`
      select id, user_id, credential_id, public_key, sign_count::float8 as sign_count from iam_factor
      where id = ${found.subject} and kind = 'passkey' and status = 'active'`,
  )
  if (factor === undefined) return { refused: null }
  const refused = (why: string): Judged => ({
    refused: { home: found.home, factorId: factor.id, userId: factor.user_id, why },
  })
  const handle = response.response.userHandle
  if (handle !== undefined && Buffer.from(handle, 'base64url').toString() !== factor.user_id)
    return refused('user handle')
  try {
    const { verified, authenticationInfo: info } = await verify(services, response, factor)
    if (!verified) return refused('signature')
    const clientData = response.response.clientDataJSON
    const synced = info.credentialDeviceType === 'multiDevice'
    return { good: { home: found.home, factor, newCount: info.newCounter, synced, clientData } }
  } catch (error) {
    return refused(error instanceof Error ? error.message.slice(0, 200) : 'not readable')
  }
}

function verify({ kernel }: IamServices, response: AuthenticationResponse, factor: Stored) {
  const rp = relyingParty(kernel)
  return verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => isOwnChallenge(kernel, signInPurpose, challenge),
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    credential: {
      id: factor.credential_id,
      publicKey: Uint8Array.from(factor.public_key),
      counter: Number(factor.sign_count),
    },
    requireUserVerification: true,
  })
}

/** Spends the answer; false when its challenge was answered before or the count has moved on. */
export async function spendAssertion({ kernel }: IamServices, tx: Tx, assertion: Assertion): Promise<boolean> {
  const { factor, newCount, clientData } = assertion
  const now = kernel.clock.iso()
  const counted = await tx.execute(sql`
    update iam_factor
    set sign_count = ${newCount}, last_used_at = ${now}
    where id = ${factor.id} and status = 'active' and sign_count = ${factor.sign_count}`)
  return counted > 0 && (await useChallenge(kernel, tx, clientData))
}

/** Methods of proof (RFC 8176): a key in one device or a synced one, and user verification. */
export function methodsOf({ synced }: Assertion): readonly string[] {
  return [synced ? 'swk' : 'hwk', 'user']
}
