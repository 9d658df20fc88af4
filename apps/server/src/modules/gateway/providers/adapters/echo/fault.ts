import type { LocalParts } from '../../adapter.ts'
import { faultOfStatus, UpstreamFault } from '../../fault.ts'
import { pause } from '../../pause.ts'

/** Longer than any total timeout, so that only an abort ends it. */
const foreverMs = 2_147_483_647

/** Text of the reference for each word behind `fault:`; echo.test.ts checks it against their behavior. */
export const faults: readonly (readonly [word: string, shows: string])[] = [
  ['500', 'The error of this status; so does any other from 400 to 599.'],
  ['429', 'A limit of calls that is over in a second.'],
  ['401', 'A key that is refused.'],
  ['hang', 'No answer at all, until the call is ended.'],
  ['slow=800', 'An answer that begins after so many milliseconds.'],
  ['garbage', 'An answer that is not JSON.'],
  ['half-stream', 'A stream that ends in the middle of its text.'],
]

/** Acts out the fault named in the message. `half-stream` is the caller's. */
export async function runFault(text: string, parts: LocalParts): Promise<void> {
  const [, name = '', value = ''] = /fault:([a-z0-9-]+)(?:=(\d{1,6}))?/.exec(text) ?? []
  switch (name) {
    case '429':
      throw new UpstreamFault('rate_limited', 'the provider limits our calls', { status: 429, retryAfterMs: 1000 })
    case 'garbage':
      throw new UpstreamFault('invalid', 'it is not JSON')
    case 'hang':
      return pause(foreverMs, parts)
    case 'slow':
      return pause(Number(value), parts)
    default:
      // Any other status stands for itself.
      if (/^[45]\d\d$/.test(name)) throw faultOfStatus(Number(name), 'The demo provider refuses this request.', null)
  }
}
