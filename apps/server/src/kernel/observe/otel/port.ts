/** Telemetry as the rest of the program knows it: finished spans and histograms, without a word of the SDK. */
import type { Trace } from '../trace.ts'

export type Attribute = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, Attribute>>

/** A piece of work that is over. */
export interface SpanRecord {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** Its own ids; a span that is not sampled is not recorded. */
  readonly trace: Trace
  readonly parentSpanId: string | null
  /** The parent is another process. */
  readonly remoteParent?: boolean
  /** Unix milliseconds with fraction. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly failed: boolean
  readonly events?: readonly SpanEvent[]
}

export interface SpanEvent {
  readonly name: string
  /** Unix milliseconds with fraction. */
  readonly atMs: number
  readonly attributes: Attributes
}

export interface HistogramForm {
  readonly name: string
  /** UCUM. */
  readonly unit: string
  readonly description: string
  readonly boundaries: readonly number[]
}

/**
 * Where telemetry goes when a collector is configured. Nothing here waits, fails or throws: data that the collector
 * does not take in time is dropped.
 */
export interface Telemetry {
  /** Whether the trace of a request is recorded, by the caller's flag and the operator's settings. */
  samples(parent: Trace | null, traceId: string): boolean
  record(span: SpanRecord): void
  measure(histogram: HistogramForm, value: number, attributes: Attributes): void
}
