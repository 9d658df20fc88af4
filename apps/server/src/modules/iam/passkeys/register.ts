/**
 * Adding a passkey: the user must be verified by the authenticator and the key must be found without a name, so that it
 * opens the account alone. Attestation is not asked for: the maker of the authenticator plays no role here. Tested in
 * passkeys.test.ts.
 */
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { directoryDigest, enter } from '../directory/directory.ts'
import { factorAdded } from '../factors/enrolled.ts'
import { type Enroller, enrollerOf, holdEnroller } from '../factors/enroller.ts'
import { makeCodes, type NewCodes, storeCodes } from '../mfa/recovery.ts'
import { factors } from '../mfa/tables.ts'
import type { RegisterPasskey, RegistrationOptionsAsk } from '../schemas/passkeys.ts'
import type { IamServices } from '../services/iam-services.ts'
import {
  algorithms,
  ceremonyMs,
  isOwnChallenge,
  isTaken,
  newChallenge,
  relyingParty,
  useChallenge,
} from '../webauthn/relying-party.ts'

const mostPasskeys = 20

interface Held {
  readonly credential_id: string
  readonly transports: string[] | null
}

/** @throws AUTH-001, AUTH-002, AUTH-009, API-011 */
export async function registrationOptions(
  services: IamServices,
  { body, request }: { readonly body: RegistrationOptionsAsk; readonly request: RequestInfo },
) {
  const { kernel } = services
  const enroller = await enrollerOf(services, {
    token: body.enrollment_token,
    request,
    kind: 'passkey',
  })
  const excluded = await heldBy(services, enroller)
  const { userId, account } = enroller
  return creationOptions(kernel, { userId, email: account.email, purpose: purposeOf(enroller), excluded })
}

export interface NewKeyFor {
  readonly userId: string
  readonly email: string
  /** The only use an answer to the challenge is valid for. */
  readonly purpose: string
  readonly excluded: readonly { readonly id: string }[]
}

/** Options a browser needs to create a passkey for a person. */
export async function creationOptions(kernel: Kernel, { userId, email, purpose, excluded }: NewKeyFor) {
  const rp = relyingParty(kernel)
  const made = await generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userName: email,
    userDisplayName: email,
    userID: Uint8Array.from(Buffer.from(userId)),
    challenge: newChallenge(kernel, purpose),
    timeout: ceremonyMs,
    attestationType: 'none',
    excludeCredentials: [...excluded],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  const { user, challenge, pubKeyCredParams } = made
  return {
    rp: { id: rp.id, name: rp.name },
    user,
    challenge,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' as const })),
    timeout: ceremonyMs,
    excludeCredentials: (made.excludeCredentials ?? []).map(({ id }) => ({ id, type: 'public-key' as const })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  }
}

/** A challenge is valid only for the person and the session that asked for it. */
const purposeOf = ({ tenantId, userId, sessionId }: Enroller): string => `register/${tenantId}/${userId}/${sessionId}`

async function heldBy({ kernel }: IamServices, { tenantId, userId }: Enroller) {
  const rows = await kernel.db.read(
    tenantId,
    sql<Held>`select credential_id, transports from iam_factor where user_id = ${userId} and kind = 'passkey'`,
  )
  return rows.map(({ credential_id: id, transports }) => ({ id, ...(transports === null ? {} : { transports }) }))
}

/** @throws AUTH-001, AUTH-002, AUTH-009, AUTH-015 when the authenticator's answer is not good, API-011 */
export async function registerPasskey(
  services: IamServices,
  { body, request }: { readonly body: RegisterPasskey; readonly request: RequestInfo },
) {
  const { kernel } = services
  const enroller = await enrollerOf(services, {
    token: body.enrollment_token,
    request,
    kind: 'passkey',
  })
  const made = await verifiedKey(kernel, purposeOf(enroller), body.credential)
  const fresh = enroller.account.methods.length === 0 ? await makeCodes(services) : null
  const id = kernel.random.uuid()
  const name = body.name ?? 'Passkey'
  await kernel.db.tenant(enroller.scope, (tx) => store(services, tx, { enroller, made, body, id, name, codes: fresh }))
  return {
    factor_id: id,
    status: 'active' as const,
    ...(fresh === null ? {} : { recovery_codes: [...fresh.codes] }),
  }
}

export type VerifiedKey = Awaited<ReturnType<typeof verifiedKey>>

/** @throws AUTH-015 when the authenticator's answer is not good, API-011 for a key that is in use */
export async function verifiedKey(kernel: Kernel, purpose: string, credential: RegisterPasskey['credential']) {
  const made = await checkedKey(kernel, purpose, credential)
  const digest = directoryDigest(kernel.platformKeys, 'passkey', made.credential.id)
  // Also in another tenant: otherwise entering the id of another person's key would stop that key from being found.
  if (await isTaken(kernel, digest)) throw apiErrors.conflict({ what: 'This passkey is in use already.' })
  return made
}

async function checkedKey(kernel: Kernel, purpose: string, credential: RegisterPasskey['credential']) {
  const rp = relyingParty(kernel)
  try {
    const { verified: good, registrationInfo } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: (challenge) => isOwnChallenge(kernel, purpose, challenge),
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (good && registrationInfo !== undefined) return registrationInfo
  } catch (error) {
    // The library's text names the problem; the caller learns only that there is one.
    throw authErrors.assertionRefused().causedBy(error)
  }
  throw authErrors.assertionRefused()
}

interface Made {
  readonly enroller: Enroller
  readonly made: VerifiedKey
  readonly body: RegisterPasskey
  readonly id: string
  readonly name: string
  readonly codes: NewCodes | null
}

async function store(services: IamServices, tx: Tx, { enroller, made, body, id, name, codes }: Made): Promise<void> {
  const { kernel } = services
  const { userId } = enroller
  const account = await holdEnroller(tx, enroller)
  if (!(await useChallenge(kernel, tx, body.credential.response.clientDataJSON))) throw authErrors.assertionRefused()
  const count = await tx.first(
    sql<{ held: number }>`select count(*)::int as held from iam_factor where user_id = ${userId} and kind = 'passkey'`,
  )
  if ((count?.held ?? 0) >= mostPasskeys)
    throw apiErrors.conflict({ what: `An account has ${mostPasskeys} passkeys at most.` })
  await insertKey(kernel, tx, { id, userId, name, made, transports: body.credential.response.transports ?? [] })
  if (codes !== null && account.methods.length === 0) await storeCodes(services, tx, { userId, hashes: codes.hashes })
  const proof = { amr: [isSynced(made) ? 'swk' : 'hwk', 'user', 'mfa'], acr: 'aal2' } as const
  await factorAdded(services, tx, { enroller, account, factor: { id, kind: 'passkey', name }, proof })
}

const isSynced = ({ credentialDeviceType }: VerifiedKey): boolean => credentialDeviceType === 'multiDevice'

export interface NewKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly made: VerifiedKey
  readonly transports: readonly string[]
}

/** Stores a verified key as an active factor that opens the account. */
export async function insertKey(kernel: Kernel, tx: Tx, { id, userId, name, made, transports }: NewKey): Promise<void> {
  const at = kernel.clock.iso()
  await factors.insert(tx, {
    tenant_id: tx.tenantId,
    id,
    user_id: userId,
    kind: 'passkey',
    name,
    status: 'active',
    secret: null,
    last_step: 0,
    drift: 0,
    credential_id: made.credential.id,
    public_key: made.credential.publicKey,
    sign_count: made.credential.counter,
    transports: [...transports],
    synced: isSynced(made),
    last_used_at: null,
    created_at: at,
    updated_at: at,
  })
  await enter(tx, kernel.platformKeys, { kind: 'passkey', value: made.credential.id, subject: id })
}
