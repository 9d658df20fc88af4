import { generateKeyPairSync, sign, verify } from 'node:crypto'
import type { SigningKeys } from '../keys/port.ts'

/** One key that signs checkpoints, for tests that need no store of keys. */
export function checkpointKeys(): Pick<SigningKeys, 'sign' | 'verify' | 'jwks'> {
  const pair = generateKeyPairSync('ed25519')
  const { x = '' } = pair.publicKey.export({ format: 'jwk' })
  return {
    jwks: () => ({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'k1', use: 'sig', alg: 'EdDSA' }] }),
    sign: async (_, bytes) => ({ kid: 'k1', signature: sign(null, bytes, pair.privateKey) }),
    verify: (_, kid, bytes, signature) => kid === 'k1' && verify(null, bytes, pair.publicKey, signature),
  }
}
