import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Server as TcpServer } from 'node:net'
import { EgressError } from '../errors.ts'
import type { EgressRequest } from '../exchange.ts'
import { createEgress, type Egress, type EgressOptions } from '../fetch.ts'

const open: (() => Promise<unknown>)[] = []
/** Closes every server and way out a test has opened. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()))
}

/** Starts a server on a free port of 127.0.0.1. */
export async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return portOf(server.address())
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** An HTTP server's port. */
export const httpServer = (listener: RequestListener) => listen(createHttpServer(listener))

/** A way out that may reach this machine. */
export function egressWith(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowedPrivate: ['127.0.0.0/8'], ports: [], now: () => performance.now(), ...options })
  open.push(() => egress.close())
  return egress
}

/** A request with generous limits. */
export const request = (port: number, part: Partial<EgressRequest> = {}): EgressRequest => ({
  url: `http://127.0.0.1:${port}/`,
  method: 'GET',
  headers: {},
  timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 },
  maxBytes: 1_000_000,
  ...part,
})

/** Timeouts of which one is short. */
export const tinyTimeout = (name: keyof EgressRequest['timeouts']) => ({ ...request(0).timeouts, [name]: 30 })

/** The EgressError a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<EgressError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof EgressError) return error
  throw new Error('No EgressError was thrown.', { cause: error })
}

/** A body as text. */
export const text = async (response: { bytes(): Promise<Uint8Array> }) =>
  new TextDecoder().decode(await response.bytes())
