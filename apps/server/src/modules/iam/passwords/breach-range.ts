/**
 * Looks up breached passwords at a service by range, like Have I Been Pwned and its copies: it receives the first five
 * of forty digits of a SHA-1, which hundreds of passwords share, and returns the rest of each. Padding hides the range
 * from observers of the answer's size. A service that does not answer blocks no password change; health reports it. No
 * request is made unless the operator names a service. Tested in breach-range.test.ts.
 */
import { createHash } from 'node:crypto'
import type { Egress } from '../../../kernel/egress/fetch.ts'
import type { Logger } from '../../../kernel/observe/log.ts'

export interface BreachRange {
  /** Whether the service knows the password (in NFC); false also when it cannot be asked. */
  has(password: string): Promise<boolean>
  /** Outcome of the last request. */
  state(): 'off' | 'unasked' | 'answers' | 'fails'
}

export interface BreachRangeParts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly log: Pick<Logger, 'warn'>
  /** Base URL to which the five digits are appended; null disables the check. */
  readonly url: string | null
}

/** Short, because a person waits for the answer. */
const patienceMs = 2_000
/** Ten times the size of a range today, padding included. */
const mostBytes = 512 * 1024
const headers = { accept: 'text/plain', 'add-padding': 'true', 'user-agent': 'parapet' }
const timeouts = { connectMs: patienceMs, firstByteMs: patienceMs, idleMs: patienceMs, totalMs: patienceMs }

export function createBreachRange({ egress, log, url }: BreachRangeParts): BreachRange {
  if (url === null) return { has: async () => false, state: () => 'off' }
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  let state: 'unasked' | 'answers' | 'fails' = 'unasked'
  const restsOf = async (range: string): Promise<ReadonlySet<string>> => {
    const request = { url: `${base}/${range}`, method: 'GET', headers, timeouts, maxBytes: mostBytes } as const
    const answer = await egress.fetch(request)
    if (answer.status !== 200) {
      answer.cancel()
      throw new Error(`the service of breached passwords answered ${answer.status}`)
    }
    return restsIn(Buffer.from(await answer.bytes()).toString('latin1'))
  }
  return {
    has: async (password) => {
      const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
      try {
        const rests = await restsOf(digest.slice(0, 5))
        state = 'answers'
        return rests.has(digest.slice(5))
      } catch (err) {
        if (state !== 'fails') log.warn({ err }, 'breached passwords cannot be asked for; new ones pass without')
        state = 'fails'
        return false
      }
    },
    state: () => state,
  }
}

/** Lines of 35 digits, a colon and how often it was seen; padding was seen never. @throws Error when it is nothing of the kind */
function restsIn(text: string): ReadonlySet<string> {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const rests = lines.map((line) => /^([0-9A-Fa-f]{35}):(\d{1,12})$/.exec(line))
  if (rests.includes(null)) throw new Error('the service of breached passwords answered something else than a range')
  return new Set(
    rests.flatMap((rest) => (rest?.[1] === undefined || Number(rest[2]) === 0 ? [] : [rest[1].toUpperCase()])),
  )
}
