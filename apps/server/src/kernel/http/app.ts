/**
 * The HTTP server: Fastify with our own body reader, errors, headers and access line, and every declared route on it.
 * It promises that each answer, refusals included, carries the common headers; what a route does is route.ts.
 * Tested in app.test.ts and by the whole-system suites.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { RouteMeter } from '../observe/metrics.ts'
import { continueTrace, formatTraceparent } from '../observe/trace.ts'
import { Call } from './call.ts'
import { createCursors } from './cursor.ts'
import { apiErrors } from './errors.ts'
import { limitHeaders, securityHeaders } from './headers.ts'
import { createIdempotency } from './idempotency.ts'
import { parseBody } from './json-body.ts'
import { fastifyPath, type PlacedRoute } from './parts.ts'
import { createRefusal } from './refuse.ts'
import { addSurface, type Surface } from './surfaces.ts'
import { compileRoute } from './route.ts'
import type { Kernel } from '../kernel.ts'

export interface HttpInput {
  readonly kernel: Kernel
  /** Addresses that standards fix, outside the envelope. */
  readonly surfaces: readonly Surface[]
  readonly routes: readonly PlacedRoute[]
}

export function buildHttp({ kernel, routes, surfaces }: HttpInput): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 1_000,
    exposeHeadRoutes: false,
    trustProxy: kernel.config.trustedProxies.length > 0 ? [...kernel.config.trustedProxies] : false,
    routerOptions: { maxParamLength: 300, caseSensitive: true, ignoreTrailingSlash: false },
    return503OnClosing: false,
    http: { maxHeaderSize: 16_384, headersTimeout: 15_000 },
    frameworkErrors: (error, request, reply) => {
      void begin(request, reply).then(() => refuse(error, request, reply))
    },
  })
  const refuse = createRefusal(kernel)
  const fixedHeaders = securityHeaders(kernel.config.publicUrl)

  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.call = new Call(request, reply, {
      id: `req_${kernel.random.hex(12)}`,
      traceparent: formatTraceparent(continueTrace(traceHeader(request), kernel.random.bytes)),
      startedMs: kernel.clock.monotonic(),
      timestamp: kernel.clock.iso(),
    })
    reply.headers(fixedHeaders).header('x-request-id', request.call.id).header('traceparent', request.call.traceparent)
  }

  app.decorateRequest('call')
  app.addHook('onRequest', begin)
  app.addHook('onSend', async (request, reply) => {
    if (request.call.limit !== null) reply.headers(limitHeaders(request.call.limit))
  })
  readJson(app)
  observeAnswers(app, kernel)
  app.setErrorHandler(refuse)
  answerUnknown(app, [...routes.map(({ path, route }) => ({ path, method: route.method })), ...surfaces.map(({ path }) => ({ path, method: 'GET' }))])

  const parts = {
    kernel,
    cursors: createCursors(kernel.platformKeys),
    idempotency: createIdempotency({ keys: kernel.tenantKeys, clock: kernel.clock, uuid: kernel.random.uuid }),
  }
  for (const surface of surfaces) addSurface(app, kernel, surface)
  for (const placed of routes) {
    app.route({
      method: placed.route.method,
      url: fastifyPath(placed.path),
      bodyLimit: placed.route.bodyLimit,
      config: { anyText: placed.route.anyText, pattern: placed.path, meter: kernel.metrics.route(placed.route.method, placed.path) },
      handler: compileRoute(placed, parts),
    })
  }
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly anyText?: boolean
    /** The path as declared: the metrics label, never the path that was sent. */
      readonly pattern?: string
    readonly meter?: RouteMeter
  }
}

function traceHeader(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent
  return typeof header === 'string' ? header : undefined
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined
      return parseBody(body, { anyText: request.routeOptions.config.anyText ?? false })
    },
  )
}

function observeAnswers(app: FastifyInstance, kernel: Kernel): void {
  const unmatched = kernel.metrics.route('ANY', 'none')
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request
    const ms = kernel.clock.monotonic() - call.startedMs
    const { meter, pattern: route = 'none' } = request.routeOptions.config
    ;(meter ?? unmatched).observe(reply.statusCode, ms)
    if (!kernel.config.accessLog) return
    kernel.log.info({
      request_id: call.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(ms * 1000) / 1000,
      ...(call.actor === null ? {} : { tenant_id: call.actor.tenantId, actor_id: call.actor.userId }),
      ...(call.errorCode === null ? {} : { error_code: call.errorCode }),
    })
  })
}

/** 404, or 405 with `Allow` where the address exists for another method. */
function answerUnknown(app: FastifyInstance, known: readonly { readonly path: string; readonly method: string }[]): void {
  const patterns = known.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler(async (request) => {
    const allow = patterns.filter(({ pattern }) => pattern.test(request.call.path)).map(({ method }) => method)
    if (allow.length > 0) throw apiErrors.method({ allow: allow.join(', ') }).withHeaders({ allow: allow.join(', ') })
    throw apiErrors.noSuchRoute()
  })
}
