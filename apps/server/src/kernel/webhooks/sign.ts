/**
 * Signatures of Standard Webhooks 1.0.0: base64 of HMAC-SHA-256 over id, Unix seconds and body with dots between. While a
 * secret is replaced, messages carry a signature of each. Pure. Tested in sign.test.ts.
 */
import { createHmac } from 'node:crypto'
import type { Random } from '../crypto/random.ts'

export interface WebhookSecret {
  /** `whsec_` and the base64 of 24 to 64 bytes. */
  readonly value: string
  /** ISO 8601; a replaced secret signs until then, the current one has none. */
  readonly until: string | null
}

export interface SignedMessage {
  /** The same for every attempt, so that receivers can drop what they have. */
  readonly id: string
  /** JSON, as it is sent. */
  readonly body: string
  readonly secrets: readonly WebhookSecret[]
}

/** Headers of one attempt at the Unix millisecond `nowMs`. @throws Error when no secret is in force or one is malformed */
export function signedHeaders({ id, body, secrets }: SignedMessage, nowMs: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const inForce = secrets.filter((secret) => isInForce(secret, nowMs))
  if (inForce.length === 0) throw new Error('no secret of the webhook is in force')
  const signatures = inForce.map(({ value }) => {
    const mac = createHmac('sha256', secretBytes(value)).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const isInForce = ({ until }: WebhookSecret, nowMs: number): boolean => until === null || Date.parse(until) > nowMs

/** @throws Error with words for the operator */
export function secretBytes(secret: string): Uint8Array {
  const match = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)
  const bytes = Buffer.from(match?.[1] ?? '', 'base64')
  if (bytes.length < 24 || bytes.length > 64) throw new Error('must be whsec_ and the base64 of 24 to 64 random bytes')
  return bytes
}

const newSecretBytes = 32

export const newSecret = (random: Pick<Random, 'bytes'>): string =>
  `whsec_${Buffer.from(random.bytes(newSecretBytes)).toString('base64')}`

/** The secrets after a rotation: the new one, and the one before it for `overlapMs` more. All others end. */
export function rotatedSecrets(
  secrets: readonly WebhookSecret[],
  next: string,
  { nowMs, overlapMs }: { readonly nowMs: number; readonly overlapMs: number },
): readonly WebhookSecret[] {
  const until = new Date(nowMs + overlapMs).toISOString()
  const before = overlapMs > 0 ? secrets.filter((secret) => secret.until === null) : []
  return [{ value: next, until: null }, ...before.map(({ value }) => ({ value, until }))]
}
