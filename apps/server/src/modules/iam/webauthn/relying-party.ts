/**
 * This installation as a relying party, and the challenges it gives: signed, for one purpose and five minutes.
 * Nothing is stored until one is answered; then it is remembered as used, so no answer counts twice. Tested in
 * ../passkeys/passkeys.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

export const ceremonyMs = 5 * 60_000
const nonceBytes = 16
/** Nonce, end in Unix milliseconds, HMAC-SHA-256. */
const challengeBytes = nonceBytes + 8 + 32

/** EdDSA, ES256, RS256: the algorithms of authenticators, the best first. */
export const algorithms = [-8, -7, -257]

/** The id is the host alone, so that passkeys outlive a change of the port; the origin is compared as a whole. */
export function relyingParty({ config }: Kernel): {
  readonly id: string
  readonly name: string
  readonly origin: string
} {
  const { hostname, origin } = new URL(config.publicUrl)
  return { id: hostname, name: 'Parapet', origin }
}

/** @param purpose what an answer to it may be used for */
export function newChallenge(kernel: Kernel, purpose: string): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(nonceBytes + 8)
  head.set(kernel.random.bytes(nonceBytes))
  head.writeBigUInt64BE(BigInt(kernel.clock.now() + ceremonyMs), nonceBytes)
  return Uint8Array.from(Buffer.concat([head, sealOf(kernel, purpose, head)]))
}

/** Whether a challenge was given here, for this purpose, and not too long ago. */
export function isOwnChallenge(kernel: Kernel, purpose: string, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== challengeBytes) return false
  const head = bytes.subarray(0, nonceBytes + 8)
  if (bytes.readBigUInt64BE(nonceBytes) <= BigInt(kernel.clock.now())) return false
  // Both sides are keyed digests, so where the comparison stops tells a forger nothing useful.
  const given = kernel.platformKeys.mac('webauthn-challenge', bytes.subarray(nonceBytes + 8))
  return given === kernel.platformKeys.mac('webauthn-challenge', sealOf(kernel, purpose, head))
}

/** Remembers a challenge as answered; false when it was before. */
export async function useChallenge({ platformKeys, clock }: Kernel, tx: Tx, clientData: string): Promise<boolean> {
  const digest = platformKeys.mac('webauthn-used', challengeIn(clientData))
  const expires = new Date(clock.now() + ceremonyMs).toISOString()
  const noted = await tx.execute(sql`
    insert into iam_used_challenge (digest, expires_at) values (${digest}, ${expires})
    on conflict (digest) do nothing`)
  return noted > 0
}

/** Of client data that the library has accepted, so that it is JSON with a challenge of ours. */
function challengeIn(clientData: string): string {
  return String(JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')).challenge)
}

function sealOf({ platformKeys }: Kernel, purpose: string, head: Uint8Array): Buffer {
  const body = `${purpose}.${Buffer.from(head).toString('base64url')}`
  return Buffer.from(platformKeys.mac('webauthn-challenge', body), 'base64url')
}

/** Credential ids are looked for in the whole installation: one is good at one place. */
export async function isTaken(kernel: Kernel, digest: string): Promise<boolean> {
  const rows = await kernel.db.read(
    platformTenant,
    sql`select 1 as found from iam_directory where kind = 'passkey' and digest = ${digest} limit 1`,
  )
  return rows.length > 0
}
