/**
 * W3C Trace Context: reads `traceparent`, continues or begins a trace, writes the header again. It promises valid ids;
 * it records and exports nothing. Tested in trace.test.ts. https://www.w3.org/TR/trace-context/
 */

export interface Trace {
  /** 32 lower-case hex digits, never all zero. */
  readonly traceId: string
  /** 16 lower-case hex digits, never all zero. */
  readonly spanId: string
  readonly sampled: boolean
}

/** Random lower-case hex digits, two for each byte asked for. */
type RandomHex = (bytes: number) => string

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/

/** The caller's trace, or null when the header is absent or not exactly of the standard's form. */
export function parseTraceparent(header: string | undefined): Trace | null {
  // Longer headers of future versions are allowed by the standard; 512 is far above any sensible one.
  if (header === undefined || header.length > 512) return null
  const match = form.exec(header)
  if (match === null) return null
  const [, version, traceId = '', spanId = '', flags = '00', rest] = match
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (zeros.test(traceId) || zeros.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function newTrace(hex: RandomHex): Trace {
  return { traceId: nonZeroHex(hex, 16), spanId: nonZeroHex(hex, 8), sampled: false }
}

/** A new span of the same trace. */
export function childOf(parent: Trace, hex: RandomHex): Trace {
  return { ...parent, spanId: nonZeroHex(hex, 8) }
}

export function formatTraceparent(trace: Trace): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`
}

export interface RequestTrace {
  /** The `traceparent` of this request's own span. */
  readonly traceparent: string
  /** The caller's span; null where the trace begins here. */
  readonly parentSpanId: string | null
}

/** Decides which traces are recorded; without one the caller's word is passed on. */
type Samples = (parent: Trace | null, traceId: string) => boolean

/** A child of the caller's span when there is a valid one, else the beginning of a new trace. */
export function requestTrace(header: string | undefined, hex: RandomHex, samples: Samples | null): RequestTrace {
  const parent = parseTraceparent(header)
  const own = parent === null ? newTrace(hex) : childOf(parent, hex)
  const sampled = samples === null ? own.sampled : samples(parent, own.traceId)
  return { traceparent: formatTraceparent({ ...own, sampled }), parentSpanId: parent?.spanId ?? null }
}

function nonZeroHex(hex: RandomHex, length: number): string {
  const text = hex(length)
  return zeros.test(text) ? nonZeroHex(hex, length) : text
}
