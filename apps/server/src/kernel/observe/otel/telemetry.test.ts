import { afterEach, describe, expect, test } from 'vitest'
import { sources } from '../../../../test/borders/sources.ts'
import { systemClock } from '../../base/clock.ts'
import { type Environment, loadConfig } from '../../config/load.ts'
import { createLogger } from '../log.ts'
import type { SpanRecord } from './port.ts'
import { targetsOf } from './targets.ts'
import { createTelemetry } from './telemetry.ts'
import { type Collector, openCollector } from './testing/collector.ts'

let collector: Collector | null = null

afterEach(async () => {
  await collector?.close()
  collector = null
})

const clock = systemClock()
const logged: string[] = []
const log = createLogger({ level: 'info', now: clock.now, destination: { write: (line) => void logged.push(line) } })

function telemetryFor(environment: Environment, over: { readonly clock?: Pick<typeof clock, 'after'> } = {}) {
  return createTelemetry({ config: loadConfig(environment), clock, log, node: 'node-1', version: '9.9.9', ...over })
}

const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }
const span: SpanRecord = {
  ...{ name: 'work', kind: 'client', trace, parentSpanId: 'aaaaaaaaaaaaaaaa', failed: true },
  ...{ startMs: 1_790_000_000_000.25, endMs: 1_790_000_000_010.5 },
  attributes: { 'parapet.test': 'yes', list: ['a'], n: 7 },
  events: [{ name: 'step', atMs: 1_790_000_000_005, attributes: { ok: true } }],
}
const histogram = { name: 'test.duration', unit: 's', description: 'Test', boundaries: [1, 5] }

describe('without a collector', () => {
  test.each([
    ['nothing is named', {}],
    ['it is switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }],
  ])('there is no telemetry: %s', (_, environment) => {
    expect(telemetryFor(environment)).toBeNull()
  })

  test('the SDK is named by one file, and nothing imports that file before it is needed', () => {
    const files = sources('apps/server/src')
    const naming = files.filter(({ imports }) => imports.some((name) => name.startsWith('@opentelemetry/')))
    const sdk = 'apps/server/src/kernel/observe/otel/sdk.ts'
    expect(naming.map(({ path }) => path).filter((path) => !path.endsWith('.test.ts'))).toEqual([sdk])
    const static_ = files.filter(({ text }) => /^import (?!type)[^\n]*['"]\.\/sdk\.ts['"]/m.test(text))
    expect(static_.map(({ path }) => path)).toEqual([])
  })
})

test('the common address gets the path of the signal, and one of its own is taken as it is', () => {
  const endpoints = {
    otelDisabled: false,
    otelEndpoint: 'http://collector:4318/base',
    otelTracesEndpoint: null,
    otelMetricsEndpoint: 'http://other/push',
  }
  expect(targetsOf(endpoints)).toEqual({ traces: 'http://collector:4318/base/v1/traces', metrics: 'http://other/push' })
  expect(targetsOf({ ...endpoints, otelEndpoint: null })).toEqual({ traces: null, metrics: 'http://other/push' })
})

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
])('a wrong %s is told at start', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(name)
})

test('spans and measurements arrive as they were given, under the name of the service', async () => {
  collector = await openCollector()
  const telemetry = telemetryFor({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  await telemetry?.start()
  telemetry?.record(span)
  telemetry?.record({ ...span, trace: { ...trace, spanId: 'cccccccccccccccc' }, parentSpanId: null, failed: false })
  telemetry?.record({ ...span, name: 'unsampled', trace: { ...trace, sampled: false } })
  telemetry?.measure(histogram, 3, { kind: 'a' })
  telemetry?.measure(histogram, 4, { kind: 'a' })
  await telemetry?.stop()
  expect(collector.spans()).toEqual([
    {
      ...{ traceId: trace.traceId, spanId: trace.spanId, parentSpanId: 'aaaaaaaaaaaaaaaa', name: 'work' },
      ...{ kind: 3, status: 2, startNs: 1_790_000_000_000_250_000n, endNs: 1_790_000_000_010_500_000n },
      attributes: { 'parapet.test': 'yes', list: ['a'], n: 7 },
      events: [{ name: 'step', attributes: { ok: true } }],
    },
    expect.objectContaining({ spanId: 'cccccccccccccccc', parentSpanId: undefined, status: 0 }),
  ])
  expect(collector.points()).toEqual([
    { metric: 'test.duration', unit: 's', count: 2, sum: 7, boundaries: [1, 5], attributes: { kind: 'a' } },
  ])
  expect(collector.origins()[0]).toMatchObject({
    schemaUrl: 'https://opentelemetry.io/schemas/1.40.0',
    resource: {
      'service.name': 'parapet',
      'service.version': '9.9.9',
      'service.instance.id': 'node-1',
      'deployment.environment.name': 'test',
    },
  })
  expect(collector.posted[0]?.headers).toMatchObject({ 'x-team': 'a b' })
})

test('the usual form is protobuf', async () => {
  collector = await openCollector()
  const telemetry = telemetryFor({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await telemetry?.start()
  telemetry?.record(span)
  telemetry?.measure(histogram, 3, {})
  await telemetry?.stop()
  expect(collector.posted.map(({ path, type }) => [path, type]).sort()).toEqual([
    ['/v1/metrics', 'application/x-protobuf'],
    ['/v1/traces', 'application/x-protobuf'],
  ])
  const traces = collector.posted.find(({ path }) => path === '/v1/traces')?.body
  // Trace and span id stand in the message as bytes, and the name as text.
  expect(traces?.includes(Buffer.from(trace.traceId, 'hex'))).toBe(true)
  expect(traces?.includes(Buffer.from(trace.spanId, 'hex'))).toBe(true)
  expect(traces?.includes('work')).toBe(true)
})

test('stopping does not wait for a collector that never answers', async () => {
  collector = await openCollector({ silent: true })
  // Time is up at once.
  const hasty = {
    after: (_ms: number, run: () => void) => {
      const soon = setImmediate(run)
      return { stop: () => clearImmediate(soon) }
    },
  }
  const telemetry = telemetryFor({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { clock: hasty })
  await telemetry?.start()
  telemetry?.record(span)
  await telemetry?.stop()
  telemetry?.record(span)
})

test('a collector that is not there is reported and throws nothing', async () => {
  const gone = await openCollector()
  await gone.close()
  logged.length = 0
  const telemetry = telemetryFor({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, OTEL_EXPORTER_OTLP_TIMEOUT: '100' })
  await telemetry?.start()
  telemetry?.record(span)
  telemetry?.measure(histogram, 3, {})
  await telemetry?.stop()
  expect(logged.join()).toContain('telemetry was not sent')
})
