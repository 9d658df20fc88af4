import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { apiErrors } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { Stopping } from '../lifecycle/stopping.ts'

interface Entered {
  readonly socket: Socket
  readonly response: ServerResponse
}

/** Counts running calls. */
export interface Drain {
  /** A call came; it runs until its answer was sent or its client went away, which calls `abandoned`. */
  entered(call: Entered, abandoned: () => void): void
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
  const onSocket = answersBySocket()
  return {
    entered: ({ socket, response }, abandoned) => {
      const left = stopping.hold()
      const answers = onSocket(socket)
      const end = (isFinished: boolean): void => {
        if (!answers.delete(gone)) return
        if (!isFinished) abandoned()
        left()
      }
      const gone = (): void => end(false)
      answers.add(gone)
      response.once('finish', () => end(true))
      // An answer whose client went away never finishes.
      response.once('close', gone)
    },
    endless: (response, stop) => {
      if (closing) return stop()
      endless.add(stop)
      response.once('close', () => endless.delete(stop))
    },
  }
}

/**
 * Handling of answers whose connection is gone before they come. Those that wait behind another one,
 * of a client that asks on without reading, hear nothing of it themselves.
 */
function answersBySocket(): (socket: Socket) => Set<() => void> {
  const known = new WeakMap<Socket, Set<() => void>>()
  return (socket) => {
    const answers = known.get(socket) ?? new Set()
    if (!known.has(socket)) {
      known.set(socket, answers)
      socket.once('close', () => {
        for (const gone of answers) gone()
      })
    }
    return answers
  }
}

/** The refusal of a call that came over an open connection after the process was told to stop. */
export function stoppingProblem(): ProblemError {
  const what = 'This instance is stopping. Send the request again over a new connection.'
  return apiErrors.unavailable({ what }).withHeaders({ connection: 'close', 'retry-after': '1' })
}
