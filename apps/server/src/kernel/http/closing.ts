import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel.ts'

/** How long running calls may take to finish once the process was told to stop. */
const longestDrainMs = 30_000

/** Counts running calls; told by the hooks that see every call anyway. */
export interface Drain {
  entered(): void
  left(): void
}

/**
 * Lets running calls finish when the server closes and then ends every connection, also those that never sent anything,
 * which would otherwise keep the process alive for as long as their other end pleases.
 */
export function createDrain(app: FastifyInstance, clock: Clock): Drain {
  let running = 0
  let closing = false
  // The answer's last bytes may still be on their way to the socket.
  const endAll = (): void => {
    setImmediate(() => app.server.closeAllConnections())
  }
  app.addHook('preClose', (done) => {
    closing = true
    if (running === 0) endAll()
    const limit = clock.after(longestDrainMs, endAll)
    app.server.once('close', () => limit.stop())
    done()
  })
  return {
    entered: () => {
      running += 1
    },
    left: () => {
      running -= 1
      if (closing && running === 0) endAll()
    },
  }
}
