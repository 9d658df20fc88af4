/**
 * Requests that have to be there whole in time, where routes have times of their own: Node knows one time for a server,
 * which is then that of the longest. Looks as often as Node does. Tested in test/kernel/uploads.test.ts.
 */
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import { systemClock } from '../../base/clock.ts'

export interface BodyDeadlines {
  /** A request whose head is there. */
  begin(request: IncomingMessage, limitMs: number): void
  /** Its body is there. */
  end(request: IncomingMessage): void
}

/** Sockets are of the machine's time, as Node's own limits are. */
export function createBodyDeadlines(server: Server, lookEveryMs: number): BodyDeadlines {
  const clock = systemClock()
  const deadlines = new Map<IncomingMessage, number>()
  const timer = clock.every(lookEveryMs, () => {
    for (const [request, deadline] of deadlines) {
      if (!request.complete && !request.destroyed && clock.monotonic() <= deadline) continue
      deadlines.delete(request)
      if (!request.complete && !request.destroyed) server.emit('clientError', requestTimeout(), request.socket)
    }
  })
  server.once('close', () => timer.stop())
  return {
    begin: (request, limitMs) => {
      // A call without a connection is there whole.
      if (request.socket instanceof Socket) deadlines.set(request, clock.monotonic() + limitMs)
    },
    end: (request) => void deadlines.delete(request),
  }
}

/** As Node says it itself. */
const requestTimeout = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
