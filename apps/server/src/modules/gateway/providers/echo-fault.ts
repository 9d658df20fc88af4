import { type EchoParts, pause } from './echo.ts'
import { UpstreamFault } from './fault.ts'

/** Longer than any total timeout, so that only an abort ends it. */
const foreverMs = 2_147_483_647

/** Acts out the fault named in the message: `fault:500|429|401|400|hang|garbage|slow=<ms>`. `half-stream` is the caller's. */
export async function runFault(text: string, parts: EchoParts): Promise<void> {
  const [, name = '', value = ''] = /fault:([a-z0-9-]+)(?:=(\d{1,6}))?/.exec(text) ?? []
  switch (name) {
    case '500':
      throw new UpstreamFault('server_error', 'status 500', { status: 500 })
    case '429':
      throw new UpstreamFault('rate_limited', 'the provider limits our calls', { status: 429, retryAfterMs: 1000 })
    case '401':
      throw new UpstreamFault('credential', 'the key was refused', { status: 401 })
    case '400':
      throw new UpstreamFault('bad_request', 'The demo provider refuses this request.', { status: 400 })
    case 'garbage':
      throw new UpstreamFault('invalid', 'it is not JSON')
    case 'hang':
      return pause(foreverMs, parts)
    case 'slow':
      return pause(Number(value), parts)
    default:
      return
  }
}
