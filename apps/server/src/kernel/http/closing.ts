import type { FastifyInstance } from 'fastify'

/**
 * While the application closes, a kept connection ends with its running answer: a client that keeps it open would hold
 * the process until its keep-alive time is over, which supervisors do not wait for.
 */
export function endKeptConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
