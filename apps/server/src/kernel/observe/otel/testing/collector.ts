/** An OpenTelemetry collector on a local port that keeps what it is sent, for tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** As OTLP counts them: 1 internal, 2 server, 3 client. */
  readonly kind: number
  /** 2 is an error. */
  readonly status: number
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

export interface CollectedPoint {
  readonly metric: string
  readonly unit: string
  readonly count: number
  readonly sum: number
  readonly boundaries: readonly number[]
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Posted {
  readonly path: string
  readonly type: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

export interface Collector {
  readonly url: string
  readonly posted: readonly Posted[]
  /** Of JSON bodies. */
  spans(): readonly CollectedSpan[]
  points(): readonly CollectedPoint[]
  /** The resources and scopes everything came under. */
  origins(): readonly { readonly resource: Readonly<Record<string, unknown>>; readonly schemaUrl: string }[]
  close(): Promise<void>
}

/** @param options `silent`: takes everything and never answers */
export async function openCollector(options: { readonly silent?: boolean } = {}): Promise<Collector> {
  const posted: Posted[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const sent = Buffer.concat(pieces)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const { url: path = '', headers } = request
    posted.push({ path, type: headers['content-type'] ?? '', headers, body })
    if (options.silent !== true) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bodies = (path: string) =>
    posted.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    spans: () => bodies('/v1/traces').flatMap(spansOf),
    points: () => bodies('/v1/metrics').flatMap(pointsOf),
    origins: () => bodies('/v1/traces').flatMap(originsOf),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the wire's JSON is read freely.
type Json = any

function originsOf(body: Json) {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.map((scope: Json) => ({ resource: plain(resource.attributes), schemaUrl: scope.schemaUrl })),
  )
}

function spansOf(body: Json): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId || undefined },
        ...{ name: span.name, kind: span.kind, status: span.status?.code ?? 0 },
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: plain(span.attributes),
        events: (span.events ?? []).map((event: Json) => ({ name: event.name, attributes: plain(event.attributes) })),
      })),
    ),
  )
}

function pointsOf(body: Json): CollectedPoint[] {
  return body.resourceMetrics.flatMap(({ scopeMetrics }: Json) =>
    scopeMetrics.flatMap(({ metrics }: Json) =>
      metrics.flatMap(({ name, unit, histogram }: Json) =>
        histogram.dataPoints.map((point: Json) => ({
          ...{ metric: name, unit, count: Number(point.count), sum: point.sum },
          boundaries: point.explicitBounds,
          attributes: plain(point.attributes),
        })),
      ),
    ),
  )
}

function plain(attributes: Json = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, plainValue(value)]))
}

function plainValue(value: Json): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(plainValue)
  return 'intValue' in value ? Number(value.intValue) : Object.values(value)[0]
}
