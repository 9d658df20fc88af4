/**
 * The OpenTelemetry SDK behind our port. This is the only file that imports it, and it is itself imported only when a
 * collector is configured. Tested in telemetry.test.ts against a collector of the test's own.
 */
import {
  type Attributes as ApiAttributes,
  type Context,
  DiagLogLevel,
  diag,
  type Histogram,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Config } from '../../config/load.ts'
import type { Logger } from '../log.ts'
import type { Attributes, HistogramForm, SpanRecord } from './port.ts'
import type { Targets } from './targets.ts'

export interface Sdk {
  record(span: SpanRecord): void
  measure(histogram: HistogramForm, value: number, attributes: Attributes): void
  /** Sends what is left and ends; resolves also when the collector cannot be reached. */
  shutdown(): Promise<void>
}

export interface SdkInput {
  readonly config: Config
  readonly targets: Targets
  readonly node: string
  readonly version: string
  readonly log: Logger
  /** Of the conventions everything is named by. */
  readonly schemaUrl: string
}

const scope = 'parapet'

export function openSdk(input: SdkInput): Sdk {
  reportProblems(input.log)
  const resource = resourceFromAttributes({
    'service.name': input.config.otelServiceName,
    'service.version': input.version,
    'service.instance.id': input.node,
    ...input.config.otelResource,
  })
  const spans = spanSide(input, resource)
  const metrics = metricSide(input, resource)
  return {
    record: spans.record,
    measure: metrics.measure,
    shutdown: async () => {
      await Promise.allSettled([spans.shutdown(), metrics.shutdown()])
    },
  }
}

type Resource = ReturnType<typeof resourceFromAttributes>

type Compression = NonNullable<NonNullable<ConstructorParameters<typeof JsonTraceExporter>[0]>['compression']>

function exporterOptions({ config }: SdkInput, url: string) {
  return {
    url,
    headers: { ...config.otelHeaders },
    timeoutMillis: config.otelTimeoutMs,
    // The library's enumeration of the same two words is in a package that is not ours to import.
    compression: config.otelCompression as Compression,
  }
}

const nobody = { record: () => {}, measure: () => {}, shutdown: async () => {} }

function spanSide(input: SdkInput, resource: Resource): Pick<Sdk, 'record' | 'shutdown'> {
  if (input.targets.traces === null) return nobody
  const options = exporterOptions(input, input.targets.traces)
  const isJson = input.config.otelProtocol === 'http/json'
  const exporter = isJson ? new JsonTraceExporter(options) : new ProtobufTraceExporter(options)
  // Spans come with their ids; the SDK asks for them in the same turn in which it is handed the span.
  const ids = { traceId: '', spanId: '' }
  const provider = new TracerProvider({
    resource,
    // Spans that are not sampled never get here.
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer(scope, input.version, { schemaUrl: input.schemaUrl })
  return {
    record: (span) => {
      Object.assign(ids, span.trace)
      const options = { kind: kinds[span.kind], startTime: span.startMs, attributes: plain(span.attributes) }
      const started = tracer.startSpan(span.name, options, parentOf(span))
      for (const event of span.events ?? []) started.addEvent(event.name, plain(event.attributes), event.atMs)
      if (span.failed) started.setStatus({ code: SpanStatusCode.ERROR })
      started.end(span.endMs)
    },
    shutdown: () => provider.shutdown(),
  }
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

function parentOf({ trace: own, parentSpanId, remoteParent }: SpanRecord): Context {
  if (parentSpanId === null) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: own.traceId,
    spanId: parentSpanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: remoteParent === true,
  })
}

function metricSide(input: SdkInput, resource: Resource): Pick<Sdk, 'measure' | 'shutdown'> {
  if (input.targets.metrics === null) return nobody
  const options = exporterOptions(input, input.targets.metrics)
  const isJson = input.config.otelProtocol === 'http/json'
  const exporter = isJson ? new JsonMetricExporter(options) : new ProtobufMetricExporter(options)
  const { otelMetricIntervalMs: every, otelTimeoutMs: timeout } = input.config
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: every,
    exportTimeoutMillis: Math.min(timeout, every),
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter(scope, input.version, { schemaUrl: input.schemaUrl })
  const made = new Map<string, Histogram>()
  const instrument = ({ name, unit, description, boundaries }: HistogramForm): Histogram => {
    const known = made.get(name)
    if (known !== undefined) return known
    const advice = { explicitBucketBoundaries: [...boundaries] }
    const histogram = meter.createHistogram(name, { unit, description, advice })
    made.set(name, histogram)
    return histogram
  }
  return {
    measure: (form, value, attributes) => instrument(form).record(value, plain(attributes)),
    shutdown: () => provider.shutdown(),
  }
}

function plain(attributes: Attributes): ApiAttributes {
  // Ours are the same values, read-only.
  return attributes as ApiAttributes
}

/** The SDK reports failed exports only to a registered logger. */
function reportProblems(log: Logger): void {
  const say = (message: string): void => log.warn({ telemetry: message.slice(0, 500) }, 'telemetry was not sent')
  const ignore = (): void => {}
  diag.setLogger(
    { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
