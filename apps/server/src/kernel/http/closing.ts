import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel.ts'

/** How long running calls may take to finish once the process was told to stop. */
const longestDrainMs = 30_000

/** Counts running calls. */
export interface Drain {
  /** A call came; it runs until its answer was sent or its client went away, which `abandoned` is told. */
  entered(response: ServerResponse, abandoned: () => void): void
  /** An answer that goes on until `stop` is called, which happens when the server closes. */
  endless(response: ServerResponse, stop: () => void): void
}

/**
 * Lets running calls finish when the server closes and then ends every connection, also those that never sent anything,
 * which would otherwise keep the process alive for as long as their other end pleases.
 */
export function createDrain(app: FastifyInstance, clock: Pick<Clock, 'after'>): Drain {
  let running = 0
  let closing = false
  const endless = new Set<() => void>()
  // The answer's last bytes may still be on their way to the socket.
  const endAll = (): void => {
    setImmediate(() => app.server.closeAllConnections())
  }
  app.addHook('preClose', (done) => {
    closing = true
    for (const stop of endless) stop()
    if (running === 0) endAll()
    const limit = clock.after(longestDrainMs, endAll)
    app.server.once('close', () => limit.stop())
    done()
  })
  return {
    entered: (response, abandoned) => {
      running += 1
      let isRunning = true
      const left = (): void => {
        if (!isRunning) return
        isRunning = false
        running -= 1
        if (closing && running === 0) endAll()
      }
      response.once('finish', left)
      // An answer whose client went away never finishes.
      response.once('close', () => {
        if (isRunning) abandoned()
        left()
      })
    },
    endless: (response, stop) => {
      if (closing) return stop()
      endless.add(stop)
      response.once('close', () => endless.delete(stop))
    },
  }
}
