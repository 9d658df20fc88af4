/**
 * The HTTP server: Fastify with our own body reader, errors, headers and access line, and every declared route on it.
 * It promises that each answer, refusals included, carries the common headers; route.ts runs the routes.
 * Tested in app.test.ts and by the whole-system suites.
 */

import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { apiErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import type { AccessLog } from '../observe/access-log.ts'
import type { RouteMeter } from '../observe/metrics.ts'
import { requestTrace } from '../observe/trace.ts'
import { answerObserver } from './answered.ts'
import { bodyTypes, defaultTypes, formType } from './body/body-types.ts'
import { createBodyDeadlines } from './body/deadlines.ts'
import { parseForm } from './body/form-body.ts'
import { parseBody } from './body/json-body.ts'
import { createUploads } from './body/upload.ts'
import { createBrokenAnswer } from './broken-request.ts'
import { Call } from './call.ts'
import { createDrain, stoppingProblem } from './closing.ts'
import { allowOtherOrigins } from './cross-origin.ts'
import { createCursors } from './cursor.ts'
import { callHeaders, hasOneHost, hostMissing, pagePolicy, securityHeaders } from './headers.ts'
import { createIdempotency } from './idempotency.ts'
import { addressPattern, fastifyPath, type PlacedRoute } from './parts.ts'
import { defaultPatience, type Patience } from './patience.ts'
import { rawForms } from './raw-forms.ts'
import { rawProblem } from './raw-problem.ts'
import { createRefusal, type TellUnread } from './refuse.ts'
import { compileRoute } from './route.ts'
import { boundSockets } from './sockets.ts'
import { addSurface, type Surface } from './surfaces.ts'

/** Form of a caller's own request id that goes back into a header. */
const echoable = /^[\x21-\x7e]{1,200}$/
/** Characters of path and query. */
const longestAddress = 8_192

export interface HttpInput {
  readonly kernel: Kernel
  /** Addresses that standards fix, outside the envelope. */
  readonly surfaces: readonly Surface[]
  readonly routes: readonly PlacedRoute[]
  readonly accessLog: AccessLog | null
  /** Refusals of routes that browsers open. */
  readonly browserPage?: Pick<Surface, 'contentPolicy' | 'problemPage'>
  readonly patience?: Patience
}

export function buildHttp(input: HttpInput): FastifyInstance {
  const { kernel, routes, surfaces, accessLog, browserPage, patience = defaultPatience } = input
  const limits = routes.flatMap(({ route }) => route.timeLimitMs ?? [])
  const longest = Math.max(patience.requestMs, ...limits)
  const app = Fastify({
    logger: false,
    bodyLimit: 1_048_576,
    requestTimeout: longest,
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
  const deadlines = limits.length === 0 ? null : createBodyDeadlines(app.server, patience.lookEveryMs)
  const drain = createDrain(app, kernel.stopping)
  app.decorateRequest('call')
  // Hooks with a callback: an async one costs a promise and two turns of the queue on every request.
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    deadlines?.begin(request.raw, request.routeOptions.config.timeLimitMs ?? patience.requestMs)
    drain.entered({ socket: request.raw.socket, response: reply.raw }, () => observe.abandoned(request))
    if (kernel.stopping.begun) done(stoppingProblem())
    else if (request.url.length > longestAddress) done(apiErrors.addressTooLong())
    else done(hasOneHost(request.raw) ? undefined : hostMissing())
  })
  // Silence while an answer is made is ours and not the client's: a model may think for minutes. The work has its own limits.
  app.addHook('preHandler', (request, reply, done) => {
    if (request.raw.complete) deadlines?.end(request.raw)
    reply.raw.on('timeout', (socket: Socket) => {
      if (reply.raw.headersSent) socket.destroy()
    })
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(fixedHeaders).headers(callHeaders(request.call))
    const policy = pagePolicy(request.routeOptions.config, reply.getHeader('content-type'))
    if (policy !== undefined) reply.header('content-security-policy', policy)
    done()
  })
  allowOtherOrigins(app, formOf)
  readBodies(app, routes)
  const observe = answerObserver(kernel, accessLog)
  app.addHook('onResponse', (request, reply, done) => {
    deadlines?.end(request.raw)
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
    ...surfaces.map(({ path, method = 'GET' }) => ({ path, method })),
  ])

  const parts = {
    kernel,
    cursors: createCursors(kernel.platformKeys),
    drain,
    idempotency: createIdempotency({ keys: kernel.tenantKeys, clock: kernel.clock, uuid: kernel.random.uuid }),
    uploads: createUploads(kernel),
  }
  for (const surface of surfaces) addSurface(app, kernel, surface)
  const add = (target: FastifyInstance, placed: PlacedRoute): void => {
    const { admit, handle } = compileRoute(placed, parts)
    target.route({
      method: placed.route.method,
      url: fastifyPath(placed.path),
      bodyLimit: placed.route.bodyLimit === 'model_call' ? kernel.config.gatewayBodyBytes : placed.route.bodyLimit,
      config: {
        anyText: placed.route.anyText,
        exactNumbers: placed.route.exactNumbers,
        bodyTypes: bodyTypes(placed.route),
        ...(placed.route.unread !== null && { unread: unreadOf(placed, placed.route.unread) }),
        ...(placed.route.timeLimitMs !== null && { timeLimitMs: placed.route.timeLimitMs }),
        ...(placed.route.opensInBrowser && { ...browserPage, pageIfAccepted: true }),
        pattern: placed.path,
        meter: kernel.metrics.route(placed.route.method, placed.path),
      },
      onRequest: (request, _reply, done) => settled(() => admit(request.call), done),
      handler: handle,
    })
  }
  for (const placed of routes) if (placed.route.upload === null) add(app, placed)
  // Routes read the bodies of uploads themselves, for any media type.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const placed of routes) if (placed.route.upload !== null) add(scope, placed)
  })
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
    readonly timeLimitMs?: number
    readonly unread?: TellUnread
    /** Of a page, in the place of the one that every answer has. */
    readonly contentPolicy?: string
    readonly problemPage?: Surface['problemPage']
    /** The page is for callers that accept HTML. */
    readonly pageIfAccepted?: boolean
  }
}

function traceHeader(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent
  return typeof header === 'string' ? header : undefined
}

function readBodies(app: FastifyInstance, routes: readonly PlacedRoute[]): void {
  app.removeAllContentTypeParsers()
  for (const type of new Set(routes.flatMap(({ route }) => (route.upload === null ? bodyTypes(route) : [])))) {
    const parse = type === formType ? parseForm : parseBody
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      const { anyText = false, exactNumbers = false, bodyTypes: expected = defaultTypes } = request.routeOptions.config
      if (!expected.includes(type)) throw apiErrors.mediaType({ expected: expected.join(' or ') })
      return body.length === 0 ? undefined : parse(body, { anyText, exactNumbers })
    })
  }
}

/** 404, or 405 with `Allow` where the address exists for another method. */
function answerUnknown(
  app: FastifyInstance,
  known: readonly { readonly path: string; readonly method: string }[],
): void {
  const patterns = known.map(({ path, method }) => ({
    method,
    pattern: addressPattern(path),
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
