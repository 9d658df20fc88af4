/** A forward proxy on a free port of this machine that does what a test tells it. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from './upstream.ts'

export interface TestProxy {
  readonly url: string
  /** Requested targets, in order: `host:port`. */
  readonly asked: string[]
  /** Heads of the requests it received. */
  readonly heads: IncomingMessage[]
}

export interface ProxyBehavior {
  /** `user:password` without which it answers 407. */
  readonly credential?: string
  /** Its answer to a request for this target; null opens a tunnel. */
  readonly answer?: (authority: string) => string | null
  /** Says nothing at all. */
  readonly hangs?: boolean
  /** Speaks TLS with these. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/**
 * Every target leads to the same port of this machine, as if the proxy stood in another network: what a test
 * reaches by an address that is not here it has reached through the proxy.
 */
export async function openProxy(behavior: ProxyBehavior = {}): Promise<TestProxy> {
  const asked: string[] = []
  const heads: IncomingMessage[] = []
  // Without CONNECT nothing goes through.
  const refuse: RequestListener = (_, response) => void response.writeHead(405).end()
  const server = behavior.tls === undefined ? createServer(refuse) : createHttpsServer(behavior.tls, refuse)
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    heads.push(request)
    socket.on('error', () => undefined)
    const said = said407(request, behavior) ?? behavior.answer?.(request.url ?? '') ?? null
    if (behavior.hangs === true) return
    if (said === null) openWay(request, socket)
    else socket.end(said)
  })
  const port = await listen(server)
  return { url: `${behavior.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, asked, heads }
}

function said407({ headers }: IncomingMessage, { credential }: ProxyBehavior): string | null {
  if (credential === undefined) return null
  const wanted = `Basic ${Buffer.from(credential).toString('base64')}`
  return headers['proxy-authorization'] === wanted
    ? null
    : 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="out"\r\ncontent-length: 0\r\n\r\n'
}

function openWay(request: IncomingMessage, socket: Duplex): void {
  const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1])
  const target = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    target.pipe(socket).pipe(target)
  })
  target.on('error', () => socket.destroy())
  socket.on('close', () => target.destroy())
  target.on('close', () => socket.destroy())
}
