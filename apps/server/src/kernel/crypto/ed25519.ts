/** Ed25519 by node:crypto: key pairs, thumbprints, signing, checking (RFC 8032, RFC 8037, RFC 7638). Tested in ed25519.test.ts. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from './digest.ts'

export interface KeyPair {
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array
  /** The raw public key, base64url. */
  readonly x: string
}

export function makeKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ed25519')
  const { x } = pair.publicKey.export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key without its public part')
  return { privateKey: Uint8Array.from(pair.privateKey.export({ format: 'der', type: 'pkcs8' })), x }
}

/** RFC 7638: the key's name is a digest of the key, so two keys never share one. */
export function thumbprint(x: string): string {
  return sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url')
}

export function publicKeyOf(x: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}

export function privateKeyOf(pkcs8: Uint8Array): KeyObject {
  return createPrivateKey({ format: 'der', type: 'pkcs8', key: Buffer.from(pkcs8) })
}

/** Deterministic: the same bytes under the same key give the same signature. */
export function signBytes(key: KeyObject, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, key)
}

export function checkSignature(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.byteLength === 64 && verify(null, bytes, key, signature)
}
