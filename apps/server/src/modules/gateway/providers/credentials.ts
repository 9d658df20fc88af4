/**
 * Short-lived tokens that are bought with a stored key. Promises one exchange at a time per key and a token that lasts
 * for at least a minute more; a failed exchange is not remembered. Tested in credentials.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'

export interface ShortLived {
  readonly value: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** Sends one small request over the one way out and gives back its whole answer. @throws UpstreamFault */
export type Send = (request: {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}) => Promise<{ readonly status: number; readonly body: string }>

export interface Credentials {
  /** The token for `key` (the secret and anything else that makes tokens differ), exchanged when there is none. */
  token(key: string, exchange: (send: Send) => Promise<ShortLived>): Promise<string>
}

/** A token nearer to its end than this is exchanged again. */
const leastLeftMs = 60_000
/** Tokens that are remembered; the oldest goes. */
const mostTokens = 1000

export function createCredentials(clock: Pick<Clock, 'now'>, send: Send): Credentials {
  const held = new Map<string, Promise<ShortLived>>()
  const exchanged = (name: string, exchange: (send: Send) => Promise<ShortLived>): Promise<ShortLived> => {
    const asked = exchange(send)
    held.delete(name)
    held.set(name, asked)
    const [oldest] = held.keys()
    if (held.size > mostTokens && oldest !== undefined) held.delete(oldest)
    asked.catch(() => {
      if (held.get(name) === asked) held.delete(name)
    })
    return asked
  }
  return {
    token: async (key, exchange) => {
      // The key is a secret, and an entry that outlives a call need not contain one.
      const name = sha256(key, 'base64')
      const known = held.get(name)
      const token = await known
      if (token !== undefined && token.expiresAt - clock.now() > leastLeftMs) return token.value
      const newer = held.get(name)
      const next = newer === undefined || newer === known ? exchanged(name, exchange) : newer
      return (await next).value
    },
  }
}
