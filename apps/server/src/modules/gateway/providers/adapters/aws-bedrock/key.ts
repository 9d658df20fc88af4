/**
 * Keys of Amazon's cloud and their use in a request: a pair signs it (Signature Version 4), with a session token where
 * it is short-lived; a Bedrock API key is sent as it is. Promises that the secret half of a pair goes nowhere. Tested
 * in signing.test.ts.
 */
import { type KeyPair, keyPairIn, signedHeaders } from '../../../../../kernel/aws/signing.ts'
import type { KeyForm, UpstreamRequest } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'

/** `id:secret` or `id:secret:session token`; none of the three has a colon in it. */
const pair = /^[A-Z0-9]{16,128}:[A-Za-z0-9/+=]{16,128}(?::[A-Za-z0-9/+=_-]{16,4000})?$/

const pairIn = (value: string): KeyPair | null => (pair.test(value) ? keyPairIn(value) : null)

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
  const headers = await signedHeaders(request, { service: 'bedrock', region, credentials, now })
  return { ...request, headers }
}
