/**
 * Addresses outside `/api/v1` whose bodies standards or probes fix: health, metrics, documents, keys. They carry the
 * common headers and count against the caller's address like everything else. Tested in surfaces.test.ts.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { apiErrors, authErrors, type DeclaredError } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
import { createLoopLag } from '../health/loop-lag.ts'
import type { Kernel } from '../kernel.ts'
import { isAllowedAddress } from '../net/networks.ts'
import { metricsToken } from '../settings/kernel-settings.ts'
import { formType } from './body/body-types.ts'
import type { Call } from './call.ts'
import { rateCheck } from './limits.ts'
import { fastifyPath } from './parts.ts'

export interface SurfaceAnswer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array
  /** In the place of the common ones of the same name; in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

type Fields = Readonly<Record<string, string>>

export interface Surface {
  /** Ends with `/*` where it answers everything below. */
  readonly path: string
  /** `POST` takes a form; default `GET`. */
  readonly method?: 'GET' | 'POST'
  /** Default `api`. */
  readonly rateClass?: 'api' | 'credential'
  /** Of pages, in the place of the one that lets nothing be loaded. */
  readonly contentPolicy?: string
  /** How a refusal is shown; default as a problem document. */
  readonly problemPage?: (problem: ProblemError) => SurfaceAnswer
  /** `fields` are those of the form. */
  readonly answer: (call: Call, params: Fields, fields: Fields) => Promise<SurfaceAnswer>
}

/** Bytes of a form. */
const longestForm = 16_384

export function addSurface(app: FastifyInstance, kernel: Kernel, surface: Surface): void {
  const { path, method = 'GET', rateClass = 'api', contentPolicy, problemPage } = surface
  const count = rateCheck(kernel, rateClass)
  app.route({
    method,
    url: fastifyPath(path),
    ...(method === 'POST' && { bodyLimit: longestForm }),
    config: {
      pattern: path,
      meter: kernel.metrics.route(method, path),
      ...(method === 'POST' && { bodyTypes: [formType] }),
      ...(contentPolicy !== undefined && { contentPolicy }),
      ...(problemPage !== undefined && { problemPage }),
    },
    handler: async (request, reply) => {
      await count(request.call)
      const answer = await surface.answer(request.call, request.params as Fields, (request.body ?? {}) as Fields)
      request.call.ownHeaders = answer.headers ?? null
      return reply
        .code(answer.status ?? 200)
        .header('content-type', answer.type)
        .send(answer.body)
    },
  })
}

const jsonType = 'application/json; charset=utf-8'

function json(value: unknown, status = 200): SurfaceAnswer {
  return { status, type: jsonType, body: JSON.stringify(value) }
}

export interface SurfaceInput {
  readonly kernel: Kernel
  /** Why the process may not take traffic; empty when it may. */
  readonly unready: () => Promise<readonly string[]>
  /** Made at first use: the documents are large and most processes are never asked. */
  readonly openApi: () => unknown
  readonly asyncApi: () => unknown
  readonly eventSchema: (type: string) => unknown
  readonly errors: ReadonlyMap<string, DeclaredError>
}

/** A process this late answers no one in time and is better restarted. */
const mostLagMs = 1_000

export function standardSurfaces(input: SurfaceInput): readonly Surface[] {
  const { kernel } = input
  // One process that does everything says nothing of roles.
  const role = kernel.config.role === 'all' ? {} : { role: kernel.config.role }
  const lag = createLoopLag(kernel.clock.monotonic)
  return [
    {
      path: '/healthz',
      answer: async () =>
        lag() < mostLagMs
          ? json({ status: 'ok', ...role })
          : json({ status: 'slow', reasons: ['event loop'], ...role }, 503),
    },
    {
      path: '/readyz',
      answer: async () => {
        const reasons = await input.unready()
        return reasons.length === 0
          ? json({ status: 'ready', ...role })
          : json({ status: 'unready', reasons, ...role }, 503)
      },
    },
    { path: '/metrics', answer: (call) => metrics(kernel, call) },
    { path: '/.well-known/jwks.json', answer: async () => json(kernel.signingKeys.jwks()) },
    // Apart from those of tokens: nothing that is signed for readers may ever pass for a token.
    { path: '/.well-known/export-keys.json', answer: async () => json(kernel.signingKeys.jwks('export')) },
    { path: '/errors/{code}', answer: async (call, { code = '' }) => explainError(input.errors.get(code), call) },
    ...(kernel.config.publicDocuments ? documents(input) : []),
  ]
}

function documents({ openApi, asyncApi, eventSchema }: SurfaceInput): readonly Surface[] {
  return [
    { path: '/openapi.json', answer: async () => json(openApi()) },
    { path: '/asyncapi.json', answer: async () => json(asyncApi()) },
    // Every JSON text is YAML 1.2 as well.
    {
      path: '/asyncapi.yaml',
      answer: async () => ({ type: 'application/yaml', body: JSON.stringify(asyncApi(), null, 2) }),
    },
    {
      path: '/schemas/events/{type}/1',
      answer: async (_call, { type = '' }) => {
        const schema = eventSchema(type)
        if (schema === undefined) throw apiErrors.notFound({ what: 'event type' })
        return { type: 'application/schema+json', body: JSON.stringify(schema) }
      },
    },
  ]
}

function explainError(error: DeclaredError | undefined, call: Call): SurfaceAnswer {
  if (error === undefined) throw apiErrors.notFound({ what: 'error code' })
  const facts = { error_code: error.code, status: error.status, title: error.title, detail: error.meaning }
  if (!call.header('accept')?.includes('text/html')) return json(facts)
  // Codes, titles and texts are our own constants, so nothing here needs escaping.
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${error.code}</title><link rel="stylesheet" href="/pages/style.css"></head><body><main><h1>${error.code}: ${error.title}</h1><p>${error.meaning}</p><p>HTTP status ${error.status}</p><p><a href="/">Start page</a></p></main></body></html>`
  return { type: 'text/html; charset=utf-8', body, headers: { 'content-security-policy': styledPage } }
}

/** Of a page that loads the common style and nothing else. */
const styledPage = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

async function metrics(kernel: Kernel, call: Call): Promise<SurfaceAnswer> {
  const token = kernel.settings.get(metricsToken, null)
  const allowed =
    token === null ? isOwnMachine(kernel, call) : sameSecret(call.header('authorization') ?? '', `Bearer ${token}`)
  if (!allowed) throw token === null ? authErrors.addressNotAllowed() : authErrors.missing()
  return { type: kernel.metrics.contentType, body: await kernel.metrics.render() }
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

/**
 * A trusted proxy's own address is that of a caller whom it did not name, and who may be anybody. A proxy that names its
 * callers says so of callers on its own machine, too.
 */
function isOwnMachine({ config }: Pick<Kernel, 'config'>, call: Pick<Call, 'ip' | 'header'>): boolean {
  const isProxy = config.trustedProxies.length > 0 && isAllowedAddress(call.ip, config.trustedProxies)
  return isLoopback(call.ip) && (!isProxy || call.header('x-forwarded-for') !== undefined)
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')
}
