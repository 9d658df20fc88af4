/**
 * The HTTP server: Fastify with our own body reader, errors, headers and access line, and every declared route on it.
 * It promises that each answer, refusals included, carries the common headers; what a route does is route.ts.
 * Tested in app.test.ts and by the whole-system suites.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { apiErrors } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { Kernel } from '../kernel.ts'
import type { AccessLog } from '../observe/access-log.ts'
import type { RouteMeter } from '../observe/metrics.ts'
import { requestTrace } from '../observe/trace.ts'
import { answerObserver } from './answered.ts'
import { bodyTypes, defaultTypes, formType } from './body/body-types.ts'
import { parseForm } from './body/form-body.ts'
import { parseBody } from './body/json-body.ts'
import { createBrokenAnswer } from './broken-request.ts'
import { Call } from './call.ts'
import { createDrain, stoppingProblem } from './closing.ts'
import { allowOtherOrigins } from './cross-origin.ts'
import { createCursors } from './cursor.ts'
import { callHeaders, securityHeaders } from './headers.ts'
import { createIdempotency } from './idempotency.ts'
import { fastifyPath, type PlacedRoute } from './parts.ts'
import { defaultPatience, type Patience } from './patience.ts'
import { rawForms } from './raw-forms.ts'
import { rawProblem } from './raw-problem.ts'
import { createRefusal, type TellUnread } from './refuse.ts'
import { compileRoute } from './route.ts'
import { boundSockets } from './sockets.ts'
import { addSurface, type Surface } from './surfaces.ts'

/** What of a caller's own request id goes back into a header. */
const echoable = /^[\x21-\x7e]{1,200}$/
/** Characters of path and query. */
const longestAddress = 8_192

export interface HttpInput {
  readonly kernel: Kernel
  /** Addresses that standards fix, outside the envelope. */
  readonly surfaces: readonly Surface[]
  readonly routes: readonly PlacedRoute[]
  readonly accessLog: AccessLog | null
  readonly patience?: Patience
}

export function buildHttp(input: HttpInput): FastifyInstance {
  const { kernel, routes, surfaces, accessLog, patience = defaultPatience } = input
  const app = Fastify({
    logger: false,
    bodyLimit: 1_048_576,
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 1_000,
    exposeHeadRoutes: false,
    trustProxy: kernel.config.trustedProxies.length > 0 ? [...kernel.config.trustedProxies] : false,
    routerOptions: { maxParamLength: 300, caseSensitive: true, ignoreTrailingSlash: false },
    return503OnClosing: false,
    // A missing Host is refused below, with the headers that every answer carries.
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.lookEveryMs,
      requireHostHeader: false,
    },
    clientErrorHandler: createBrokenAnswer(kernel),
    frameworkErrors: (error, request, reply) => {
      begin(request, reply)
      reply.raw.once('finish', () => observe.answered(request, reply))
      void refuse(error, request, reply)
    },
  })
  const formOf = rawForms(routes)
  const refuse = createRefusal(kernel, formOf)
  const fixedHeaders = securityHeaders(kernel.config.publicUrl)

  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    request.call = new Call(request, reply, {
      id: `req_${kernel.random.hex(12)}`,
      ...requestTrace(traceHeader(request), kernel.random.hex, kernel.telemetry?.samples ?? null),
      startedMs: kernel.clock.monotonic(),
      timestamp: kernel.clock.iso(),
    })
    const named = request.call.header('x-request-id')
    if (named !== undefined && echoable.test(named) && formOf(request.call.path)?.echoesRequestId === true)
      request.call.shownId = named
  }

  boundSockets(app.server, kernel)
  const drain = createDrain(app, kernel.stopping)
  app.decorateRequest('call')
  // Hooks with a callback: an async one costs a promise and two turns of the queue on every request.
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    drain.entered({ socket: request.raw.socket, response: reply.raw }, () => observe.abandoned(request))
    if (kernel.stopping.begun) done(stoppingProblem())
    else if (request.url.length > longestAddress) done(apiErrors.addressTooLong())
    else done(hasOneHost(request.raw) ? undefined : hostMissing())
  })
  // Silence while an answer is made is ours and not the client's: a model may think for minutes. The work has its own limits.
  app.addHook('preHandler', (_request, reply, done) => {
    reply.raw.on('timeout', (socket: Socket) => {
      if (reply.raw.headersSent) socket.destroy()
    })
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(fixedHeaders).headers(callHeaders(request.call))
    done()
  })
  allowOtherOrigins(app, formOf)
  readBodies(app, routes)
  const observe = answerObserver(kernel, accessLog)
  app.addHook('onResponse', (request, reply, done) => {
    observe.answered(request, reply)
    done()
  })
  // An expectation other than 100-continue may be passed over (RFC 9110 section 10.1.1); Node would answer it bare.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Node leaves a CONNECT without a listener hanging on a closed parser.
  app.server.on('connect', (_request, socket) => {
    const facts = { random: kernel.random, clock: kernel.clock, publicUrl: kernel.config.publicUrl, path: '' }
    socket.end(rawProblem(apiErrors.method({ allow: 'GET, POST, PUT, PATCH, DELETE' }), facts))
  })
  app.setErrorHandler(refuse)
  answerUnknown(app, [
    ...routes.map(({ path, route }) => ({ path, method: route.method })),
    ...surfaces.map(({ path }) => ({ path, method: 'GET' })),
  ])

  const parts = {
    kernel,
    cursors: createCursors(kernel.platformKeys),
    drain,
    idempotency: createIdempotency({ keys: kernel.tenantKeys, clock: kernel.clock, uuid: kernel.random.uuid }),
  }
  for (const surface of surfaces) addSurface(app, kernel, surface)
  for (const placed of routes) {
    const { admit, handle } = compileRoute(placed, parts)
    app.route({
      method: placed.route.method,
      url: fastifyPath(placed.path),
      bodyLimit: placed.route.bodyLimit === 'model_call' ? kernel.config.gatewayBodyBytes : placed.route.bodyLimit,
      config: {
        anyText: placed.route.anyText,
        exactNumbers: placed.route.exactNumbers,
        bodyTypes: bodyTypes(placed.route),
        ...(placed.route.unread !== null && { unread: unreadOf(placed, placed.route.unread) }),
        pattern: placed.path,
        meter: kernel.metrics.route(placed.route.method, placed.path),
      },
      onRequest: (request, _reply, done) => settled(() => admit(request.call), done),
      handler: handle,
    })
  }
  return app
}

function unreadOf({ services }: PlacedRoute, tell: NonNullable<PlacedRoute['route']['unread']>): TellUnread {
  return (request, actor, problem) => tell({ actor, services: services as never, request, problem })
}

/** Calls back at once when the work is done at once: most requests know their caller and need no turn of the queue. */
function settled(work: () => undefined | Promise<undefined>, done: (error?: Error) => void): void {
  try {
    const waiting = work()
    if (waiting === undefined) done()
    else waiting.then(() => done(), done)
  } catch (error) {
    done(error as Error)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly anyText?: boolean
    readonly exactNumbers?: boolean
    readonly bodyTypes?: readonly string[]
    /** The path as declared: the metrics label, never the path that was sent. */
    readonly pattern?: string
    readonly meter?: RouteMeter
    readonly unread?: TellUnread
  }
}

function traceHeader(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent
  return typeof header === 'string' ? header : undefined
}

function readBodies(app: FastifyInstance, routes: readonly PlacedRoute[]): void {
  app.removeAllContentTypeParsers()
  for (const type of new Set(routes.flatMap(({ route }) => bodyTypes(route)))) {
    const parse = type === formType ? parseForm : parseBody
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      const { anyText = false, exactNumbers = false, bodyTypes: expected = defaultTypes } = request.routeOptions.config
      if (!expected.includes(type)) throw apiErrors.mediaType({ expected: expected.join(' or ') })
      return body.length === 0 ? undefined : parse(body, { anyText, exactNumbers })
    })
  }
}

/** RFC 9112 section 3.2: which of two would count is a guess, and only HTTP/1.0 may come without one. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

function hostMissing(): ProblemError {
  return apiErrors.validation({ what: 'Send one Host header.' }).withHeaders({ connection: 'close' })
}

/** 404, or 405 with `Allow` where the address exists for another method. */
function answerUnknown(
  app: FastifyInstance,
  known: readonly { readonly path: string; readonly method: string }[],
): void {
  const patterns = known.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler(async (request) => {
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(request.call.path)).map(({ method }) => method),
    )
    const allow = [...methods].join(', ')
    if (allow !== '') throw apiErrors.method({ allow }).withHeaders({ allow })
    throw apiErrors.noSuchRoute()
  })
}
