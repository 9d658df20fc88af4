/**
 * Calls to a bucket that speaks S3. Every call goes through the guarded way out, is signed (Signature Version 4), and is
 * tried three times where the other side failed. The callers choose the names and contents of objects. Tested in
 * objects.test.ts.
 */

import { keyPairIn, signedHeaders } from '../aws/signing.ts'
import type { Clock } from '../base/clock.ts'
import { EgressError } from '../egress/errors.ts'
import type { EgressRequest, EgressResponse } from '../egress/exchange.ts'
import type { Egress } from '../egress/fetch.ts'

export interface S3Place {
  /** `https://s3.eu-central-1.amazonaws.com` or the address of another server; the bucket follows in the path. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Before the name of each file. */
  readonly prefix: string
  /** `id:secret` or `id:secret:session token`. */
  readonly credential: string
}

export interface S3Parts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now' | 'after'>
}

const timeouts = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 } as const
const mostAttempts = 3
const mostAnswerBytes = 1_048_576

export interface S3Call {
  readonly method: EgressRequest['method']
  /** After the prefix, as it is in the address; null calls the bucket itself. */
  readonly name: string | null
  readonly query?: Readonly<Record<string, string>>
  /** Signed with the rest; lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly maxBytes?: number
}

export type S3Send = (call: S3Call) => Promise<EgressResponse>

export function createS3Client(parts: S3Parts, place: S3Place): S3Send {
  return (call) => patiently(parts, place, call)
}

/** An answer that was read to its end. */
export type S3Answer = Pick<EgressResponse, 'status' | 'headers'> & { readonly text: string }

/** Reads the answer to its end, so that its connection is free. */
export async function told(answer: Promise<EgressResponse>): Promise<S3Answer> {
  const { status, headers, ...rest } = await answer
  return { status, headers, text: Buffer.from(await rest.bytes()).toString('utf8') }
}

/** @throws Error that names the status and the code of the bucket, where it is none of these */
export function expectStatus(answer: S3Answer, statuses: readonly number[]): S3Answer {
  if (statuses.includes(answer.status)) return answer
  const code = /<Code>(\w{1,60})<\/Code>/.exec(answer.text)?.[1]
  throw new Error(`the bucket answers ${answer.status}${code === undefined ? '' : ` (${code})`}`)
}

async function patiently(parts: S3Parts, place: S3Place, call: S3Call): Promise<EgressResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === mostAttempts
    try {
      const answer = await parts.egress.fetch(await signed(parts, place, call))
      if (answer.status < 500 || last) return answer
      answer.cancel()
    } catch (error) {
      if (last || !(error instanceof EgressError) || error.kind === 'refused') throw error
    }
    await new Promise<void>((resolve) => parts.clock.after(200 * 2 ** attempt, resolve))
  }
}

async function signed({ clock }: S3Parts, place: S3Place, call: S3Call): Promise<EgressRequest> {
  const { method, name, query = {}, headers = {}, body, maxBytes = mostAnswerBytes } = call
  const credentials = keyPairIn(place.credential)
  if (credentials === null) throw new Error('the credential of the bucket is not id:secret or id:secret:session token')
  const to = new URL(
    `${place.endpoint.replace(/\/$/, '')}/${place.bucket}${name === null ? '' : `/${place.prefix}${name}`}`,
  )
  for (const [key, value] of Object.entries(query)) to.searchParams.set(key, value)
  const url = to.href
  const signing = { service: 's3', region: place.region, credentials, now: clock.now() }
  const sent = await signedHeaders({ url, method, headers, body }, signing)
  return { url, method, headers: sent, timeouts, maxBytes, ...(body === undefined ? {} : { body }) }
}
