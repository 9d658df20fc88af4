import { canonicalJson } from '../crypto/canonical-json.ts'
import { checkSignature, publicKeyOf } from '../crypto/ed25519.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { PublicKey } from './load.ts'
import type { Manifest } from './snapshot.ts'

export interface SignedManifest {
  readonly manifest: Manifest
  readonly kid: string
  /** Base64url. */
  readonly signature: string
}

/** Says what is signed, so that it can be taken for nothing else. */
const signedBytes = (manifest: Manifest): Uint8Array => Buffer.from(`parapet/backup\n${canonicalJson(manifest)}`)

export async function signManifest(keys: Pick<SigningKeys, 'sign'>, manifest: Manifest): Promise<SignedManifest> {
  const { kid, signature } = await keys.sign('export', signedBytes(manifest))
  return { manifest, kid, signature: Buffer.from(signature).toString('base64url') }
}

export function isSigned(keys: Pick<SigningKeys, 'verify'>, { manifest, kid, signature }: SignedManifest): boolean {
  return keys.verify('export', kid, signedBytes(manifest), Buffer.from(signature, 'base64url'))
}

/** For a database whose keys are not in memory yet. */
export function isSignedByOneOf(keys: readonly PublicKey[], { manifest, kid, signature }: SignedManifest): boolean {
  const key = keys.find((known) => known.kid === kid)
  return (
    key !== undefined && checkSignature(publicKeyOf(key.x), signedBytes(manifest), Buffer.from(signature, 'base64url'))
  )
}
