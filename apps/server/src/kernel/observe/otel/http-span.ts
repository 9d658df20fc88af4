import { parseTraceparent } from '../trace.ts'
import type { SpanRecord } from './port.ts'

export interface ServedRequest {
  readonly traceparent: string
  /** The caller's span; null where the trace begins here. */
  readonly parentSpanId: string | null
  readonly requestId: string
  readonly tenantId: string | null
  readonly method: string
  /** The declared path. The sent path may hold anything, so it is not recorded. */
  readonly route: string
  readonly scheme: string
  readonly status: number
  readonly errorCode: string | null
  /** ISO 8601. */
  readonly startedAt: string
  readonly milliseconds: number
}

/** The span of a request as its server sees it; null where it has no trace. */
export function serverSpan(request: ServedRequest): SpanRecord | null {
  const trace = parseTraceparent(request.traceparent)
  if (trace === null) return null
  const failed = request.status >= 500
  const startMs = Date.parse(request.startedAt)
  return {
    name: `${request.method} ${request.route}`,
    kind: 'server',
    trace,
    parentSpanId: request.parentSpanId,
    remoteParent: true,
    ...{ startMs, failed },
    endMs: startMs + request.milliseconds,
    attributes: {
      'http.request.method': request.method,
      'http.route': request.route,
      'http.response.status_code': request.status,
      'url.scheme': request.scheme,
      'parapet.request.id': request.requestId,
      ...(request.tenantId === null ? {} : { 'parapet.tenant.id': request.tenantId }),
      ...(failed || request.errorCode !== null ? { 'error.type': request.errorCode ?? String(request.status) } : {}),
    },
  }
}
