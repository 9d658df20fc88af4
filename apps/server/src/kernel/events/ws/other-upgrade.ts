import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Whether a request asks for a WebSocket; clients offer other protocols (`h2c`) with quite ordinary requests. */
export function asksForWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '')
}

const dropped = new Set(['upgrade', 'connection', 'http2-settings'])

/**
 * Serves a request whose offered protocol we do not speak as if the offer were not there (RFC 9110 section 7.8). Node has
 * taken it off the HTTP parser for us to upgrade, so its head, without the offer, goes back in front of what follows and
 * the connection goes to the server once more.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  rest: { readonly socket: Duplex; readonly head: Buffer },
): void {
  const { socket, head } = rest
  if (!(socket instanceof Socket)) {
    socket.destroy()
    return
  }
  const { rawHeaders, method, url, httpVersion } = request
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !dropped.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  )
  const first = `${method} ${url} HTTP/${httpVersion}`
  socket.unshift(
    Buffer.concat([Buffer.from(`${[first, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1'), head]),
  )
  server.emit('connection', socket)
}
