/** Statements that people verify offline: compact JWS (RFC 7515) with EdDSA, by the public keys for exports. */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import type { SigningKeys } from '../../../kernel/keys/port.ts'

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** A compact JWS with EdDSA; the key is found by `kid` among the public keys for exports. */
export async function signJws(
  signingKeys: Pick<SigningKeys, 'sign' | 'activeKid'>,
  typ: string,
  payload: object,
): Promise<string> {
  const head = base64(canonicalJson({ alg: 'EdDSA', kid: signingKeys.activeKid('export'), typ }))
  const body = `${head}.${base64(canonicalJson(payload))}`
  const { signature } = await signingKeys.sign('export', Buffer.from(body, 'ascii'))
  return `${body}.${base64(signature)}`
}
