/**
 * Detached signatures of files: a JWS whose payload is the bytes themselves, unencoded (RFC 7797), by the key that signs
 * exports (Ed25519). The public keys are those of `GET /admin/keys` and of evidence. Tested in formats.test.ts.
 */
import type { SigningKeys } from '../../../kernel/keys/port.ts'

/** @returns `<header>..<signature>` */
export async function signDetached(keys: SigningKeys, bytes: Uint8Array): Promise<string> {
  for (;;) {
    const kid = keys.activeKid('export')
    const header = headerOf(kid)
    const signed = await keys.sign('export', Buffer.concat([Buffer.from(`${header}.`), bytes]))
    // The key may have been replaced between the two.
    if (signed.kid === kid) return `${header}..${Buffer.from(signed.signature).toString('base64url')}`
  }
}

const headerOf = (kid: string): string =>
  Buffer.from(JSON.stringify({ alg: 'EdDSA', b64: false, crit: ['b64'], kid })).toString('base64url')
