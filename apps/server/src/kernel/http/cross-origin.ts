/**
 * Pages of other origins at the addresses whose form allows them (Fetch standard, CORS protocol). Promises that a preflight
 * is answered without a credential, because browsers send none with it, and that no other address changes. Tested in
 * ../../modules/admin/ofrep/ofrep.test.ts.
 */
import type { FastifyInstance } from 'fastify'
import type { FormOf } from './raw-forms.ts'

/** Seconds a browser may remember the answer. */
const remembered = '86400'

const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag, retry-after' }
const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, if-none-match, x-api-key',
  'access-control-max-age': remembered,
}

export function allowOtherOrigins(app: FastifyInstance, formOf: FormOf): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (formOf(request.call.path)?.crossOrigin !== true) return done()
    const asksFirst = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (asksFirst) return void reply.code(204).headers(preflight).send()
    // On the answer itself: most answers are written without the framework's own headers.
    for (const [name, value] of Object.entries(anyOrigin)) reply.raw.setHeader(name, value)
    done()
  })
}
