/**
 * Requests to Amazon's services and compatible ones, signed with a pair of keys (Signature Version 4).
 * Promises that the secret half of a pair goes nowhere. Tested in modules/gateway/providers/adapters/aws-bedrock/
 * signing.test.ts, kernel/s3/objects.test.ts and kernel/keys/kek/kms.test.ts.
 */
import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'

export interface KeyPair {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of a pair that is short-lived. */
  readonly sessionToken?: string
}

/** `id:secret` or `id:secret:session token`; null for anything else. */
export function keyPairIn(text: string): KeyPair | null {
  const [, accessKeyId, secretAccessKey, sessionToken] =
    /^([\x21-\x39\x3b-\x7e]+):([\x21-\x39\x3b-\x7e]+)(?::([\x21-\x39\x3b-\x7e]+))?$/.exec(text) ?? []
  if (accessKeyId === undefined || secretAccessKey === undefined) return null
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

interface Unsigned {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

interface Signing {
  readonly service: string
  readonly region: string
  readonly credentials: KeyPair
  /** Unix milliseconds. */
  readonly now: number
}

/** The request's headers with its signature among them. */
export async function signedHeaders(
  { url, method, headers, body }: Unsigned,
  { service, region, credentials, now }: Signing,
): Promise<Record<string, string>> {
  const { protocol, hostname, host, pathname: path, searchParams } = new URL(url)
  // The one service that does not escape a path a second time.
  const uriEscapePath = service !== 's3'
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, uriEscapePath })
  const signed = await signer.sign(
    { method, protocol, hostname, path, query: Object.fromEntries(searchParams), headers: { ...headers, host }, body },
    { signingDate: new Date(now) },
  )
  // The connection sets it, from the same address.
  const { host: _, ...sent } = signed.headers
  return sent
}
