/**
 * Keys of Amazon's cloud and what they do to a request: a pair signs it (Signature Version 4), with a session token where it
 * is short-lived; a Bedrock API key is shown. Promises that the secret half of a pair goes nowhere. Tested in signing.test.ts.
 */
import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import type { KeyForm, UpstreamRequest } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'

interface KeyPair {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** `id:secret` or `id:secret:session token`; none of the three has a colon in it. */
const pair = /^([A-Z0-9]{16,128}):([A-Za-z0-9/+=]{16,128})(?::([A-Za-z0-9/+=_-]{16,4000}))?$/

function pairIn(value: string): KeyPair | null {
  const [, accessKeyId, secretAccessKey, sessionToken] = pair.exec(value) ?? []
  if (accessKeyId === undefined || secretAccessKey === undefined) return null
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

export const awsKeyForm: KeyForm = {
  problemOf: (value) => {
    if (pairIn(value) !== null || /^[\x21-\x39\x3b-\x7e]+$/.test(value)) return null
    return 'Send id:secret, id:secret:session token or a Bedrock API key.'
  },
  nameOf: (value) => pairIn(value)?.accessKeyId ?? value,
}

export interface Signing {
  readonly key: string
  readonly region: string
  /** Unix milliseconds. */
  readonly now: number
}

/** The request as the key vouches for it. @throws UpstreamFault for a key that can do neither */
export async function vouchedFor(request: UpstreamRequest, { key, region, now }: Signing): Promise<UpstreamRequest> {
  const credentials = pairIn(key)
  if (credentials === null) {
    if (key.includes(':')) throw new UpstreamFault('credential', 'the key is neither a pair nor an API key')
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }
  }
  const { protocol, hostname, host, pathname, searchParams } = new URL(request.url)
  const signer = new SignatureV4({ service: 'bedrock', region, credentials, sha256: Sha256 })
  const signed = await signer.sign(
    {
      method: request.method,
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { ...request.headers, host },
      body: request.body,
    },
    { signingDate: new Date(now) },
  )
  // The connection sets it, from the same address.
  const { host: _, ...headers } = signed.headers
  return { ...request, headers }
}
