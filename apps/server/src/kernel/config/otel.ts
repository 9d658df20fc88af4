/**
 * The standard variables of OpenTelemetry, by their standard names. Others (batch sizes, span limits) the SDK reads itself
 * once it is loaded, which it is only where an endpoint is named.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import { baseUrl, flag, pairs, type Setting, share, text, url, whole, word } from './forms.ts'

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

export const otelSettings = {
  otelDisabled: { env: 'OTEL_SDK_DISABLED', doc: 'Sends nothing, whatever endpoint is named.', read: flag(false) },
  otelEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    doc: 'OTLP/HTTP collector for traces and metrics; without one nothing is sent and no SDK is loaded.',
    read: baseUrl(),
  },
  otelTracesEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    doc: 'Full address for traces, in the place of the endpoint.',
    read: url(['http:', 'https:']),
  },
  otelMetricsEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    doc: 'Full address for metrics, in the place of the endpoint.',
    read: url(['http:', 'https:']),
  },
  otelHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    doc: 'Headers for the collector: key=value pairs with commas between them.',
    secret: true,
    read: pairs,
  },
  otelProtocol: {
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    doc: 'Form in which it is sent.',
    read: word(['http/protobuf', 'http/json'], 'http/protobuf'),
  },
  otelCompression: {
    env: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    doc: 'Compression of what is sent.',
    read: word(['none', 'gzip'], 'none'),
  },
  otelTimeoutMs: {
    env: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    doc: 'Milliseconds the collector may take for one batch.',
    read: whole(10_000, 100, 60_000),
  },
  otelMetricIntervalMs: {
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    doc: 'Milliseconds between two exports of metrics.',
    read: whole(60_000, 1000, 3_600_000),
  },
  otelServiceName: { env: 'OTEL_SERVICE_NAME', doc: 'Name of this service in traces.', read: text('parapet') },
  otelResource: {
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    doc: 'Attributes of this service: key=value pairs with commas between them.',
    read: pairs,
  },
  otelSampler: {
    env: 'OTEL_TRACES_SAMPLER',
    doc: 'Which traces are recorded.',
    read: word(samplerNames, 'parentbased_always_on'),
  },
  otelSamplerShare: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    doc: 'Share of traces the ratio samplers record, 0 to 1.',
    read: share(1),
  },
  otelContent: {
    env: 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    doc: 'Adds prompts and answers to model-call spans, redacted and only where the policy keeps content.',
    read: flag(false),
  },
} as const satisfies Record<string, Setting<unknown>>
