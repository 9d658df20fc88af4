import { connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy {
  /** The server's address seen through the proxy, same scheme. */
  readonly url: string
  /** Destroys all connections and refuses new ones. */
  cut(): void
  /** Lets connections through again. */
  mend(): void
  /** Keeps connections open and passes nothing on. */
  hang(): void
  close(): Promise<void>
}

/** A TCP proxy before a test server, so that an outage can be made without touching the server. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { protocol, hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'hung' = 'open'
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((inward) => {
    if (state === 'cut') return inward.destroy()
    const outward = connect(Number(port), hostname)
    keep(inward)
    keep(outward)
    inward.on('data', (bytes) => state === 'open' && outward.write(bytes))
    outward.on('data', (bytes) => state === 'open' && inward.write(bytes))
    inward.on('close', () => outward.destroy())
    outward.on('close', () => inward.destroy())
    return undefined
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    url: `${protocol}//127.0.0.1:${address.port}`,
    cut() {
      state = 'cut'
      destroyAll()
    },
    mend() {
      state = 'open'
    },
    hang() {
      state = 'hung'
    },
    close() {
      destroyAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
