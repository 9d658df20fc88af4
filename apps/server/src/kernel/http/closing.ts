import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Stopping } from '../stopping.ts'
import { apiErrors } from './errors.ts'
import type { ProblemError } from './problem.ts'

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
export function createDrain(app: FastifyInstance, stopping: Stopping): Drain {
  let closing = false
  const endless = new Set<() => void>()
  app.addHook('preClose', (done) => {
    closing = true
    for (const stop of endless) stop()
    stopping.begin()
    // The answer's last bytes may still be on their way to the socket.
    void stopping.settled.then(() => setImmediate(() => app.server.closeAllConnections()))
    done()
  })
  return {
    entered: (response, abandoned) => {
      const left = stopping.hold()
      let isFinished = false
      response.once('finish', () => {
        isFinished = true
        left()
      })
      // An answer whose client went away never finishes.
      response.once('close', () => {
        if (!isFinished) abandoned()
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

/** What a call is told that came over an open connection after the process was told to stop. */
export function stoppingProblem(): ProblemError {
  const what = 'This instance is stopping. Send the request again over a new connection.'
  return apiErrors.unavailable({ what }).withHeaders({ connection: 'close', 'retry-after': '1' })
}
