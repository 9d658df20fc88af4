/**
 * Judges a message that Parapet sent to an address of yours (Standard Webhooks 1.0.0): whether it is ours, from now, and
 * not one that came before. Needs the body as it came, byte for byte. Tested in webhook.test.ts.
 */

export interface WebhookMessage {
  /** As the sender has it: `whsec_` and base64. Two while one takes the other's place. */
  readonly secret: string | readonly string[]
  /** Reads a header of the request by its name in lower case. */
  readonly header: (name: string) => string | null | undefined
  /** The body as text, before any parser. */
  readonly body: string
  /** Unix milliseconds; default now. */
  readonly now?: number
  /** Whether a message of this id was taken before; who keeps ids for ten minutes is safe from repeats. */
  readonly isKnown?: (id: string) => boolean | Promise<boolean>
}

export type WebhookRefusal = 'headers' | 'time' | 'signature' | 'repeated'

export class WebhookRefused extends Error {
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal) {
    super(`The webhook was refused: ${reason}`)
    this.name = 'WebhookRefused'
    this.reason = reason
  }
}

/** Seconds that the clocks of both sides may be apart, and a message may be on its way. */
const windowSeconds = 300

/**
 * @returns the id of the message, the same for each attempt to deliver it
 * @throws WebhookRefused, with the reason
 */
export async function verifyWebhook(message: WebhookMessage): Promise<string> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => message.header(`webhook-${name}`))
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('headers')
  const seconds = (message.now ?? Date.now()) / 1000
  if (Math.abs(seconds - Number(timestamp)) > windowSeconds) throw new WebhookRefused('time')
  const secrets = typeof message.secret === 'string' ? [message.secret] : message.secret
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${message.body}`)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
  if (!(await isSigned(secrets, given, signed))) throw new WebhookRefused('signature')
  if ((await message.isKnown?.(id)) === true) throw new WebhookRefused('repeated')
  return id
}

async function isSigned(
  secrets: readonly string[],
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''))
    if (bytes === null || bytes.length === 0) throw new TypeError('the secret is not whsec_ and base64')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const text of signatures) {
      const signature = bytesOf(text)
      // It takes the same time wherever they differ.
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
    }
  }
  return false
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // No base64: then it is no signature of ours.
    return null
  }
}
