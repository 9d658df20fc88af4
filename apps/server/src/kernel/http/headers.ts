import type { LimitDecision } from '../limits/port.ts'
import type { Call } from './call.ts'

/** On every answer; an API answer is never a page, a frame or a cache entry. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const always = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  }
  // HSTS over plain HTTP is ignored by browsers and would only claim a TLS that is not there.
  return publicUrl.startsWith('https:')
    ? { ...always, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : always
}

/** What this request's answer carries besides the fixed headers. */
export function callHeaders(call: Call): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': call.shownId, traceparent: call.traceparent }
  return call.limit === null ? headers : Object.assign(headers, limitHeaders(call.limit))
}

export function limitHeaders(decision: LimitDecision): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(decision.limit),
    'x-ratelimit-remaining': String(decision.remaining),
    'x-ratelimit-reset': String(Math.ceil(decision.resetAtMs / 1000)),
  }
}
