import type { IncomingMessage } from 'node:http'
import { apiErrors } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
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

interface PageConfig {
  readonly contentPolicy?: string
  readonly pageIfAccepted?: boolean
}

/** The content policy of an answer that is a page; undefined where that of all answers holds. */
export function pagePolicy({ contentPolicy, pageIfAccepted }: PageConfig, contentType: unknown): string | undefined {
  return pageIfAccepted !== true || String(contentType).startsWith('text/html') ? contentPolicy : undefined
}

/** Headers of this request's answer besides the fixed ones. */
export function callHeaders(call: Call): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': call.shownId, traceparent: call.traceparent }
  if (call.limit !== null) Object.assign(headers, limitHeaders(call.limit))
  return Object.assign(headers, call.ownHeaders)
}

export function limitHeaders(decision: LimitDecision): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(decision.limit),
    'x-ratelimit-remaining': String(decision.remaining),
    'x-ratelimit-reset': String(Math.ceil(decision.resetAtMs / 1000)),
  }
}

/** RFC 9112 section 3.2: which of two would count is a guess, and only HTTP/1.0 may come without one. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

export function hostMissing(): ProblemError {
  return apiErrors.validation({ what: 'Send one Host header.' }).withHeaders({ connection: 'close' })
}
