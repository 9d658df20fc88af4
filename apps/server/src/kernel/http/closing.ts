import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel.ts'

/** How long running calls may take to finish once the process was told to stop. */
const longestDrainMs = 30_000

/**
 * Lets running calls finish when the server closes and then ends every connection, also those that never sent anything,
 * which would otherwise keep the process alive for as long as their other end pleases.
 */
export function drainOnClose(app: FastifyInstance, clock: Clock): void {
  let running = 0
  let closing = false
  const endAll = (): void => app.server.closeAllConnections()
  app.addHook('onRequest', (_request, _reply, done) => {
    running += 1
    done()
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    running -= 1
    // The answer's last bytes may still be on their way to the socket.
    if (closing && running === 0) setImmediate(endAll)
    done()
  })
  app.addHook('preClose', (done) => {
    closing = true
    if (running === 0) setImmediate(endAll)
    const limit = clock.after(longestDrainMs, endAll)
    app.server.once('close', () => limit.stop())
    done()
  })
}
