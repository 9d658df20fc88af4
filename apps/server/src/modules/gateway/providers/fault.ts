import type { ProblemError } from '../../../kernel/http/problem.ts'
import { errors } from '../errors.ts'

export type FaultKind =
  | 'connect'
  | 'refused_address'
  | 'server_error'
  | 'rate_limited'
  | 'credential'
  | 'bad_request'
  | 'timeout'
  | 'invalid'
  | 'broken'

/** What went wrong at a provider, with what the log may keep of it. */
export class UpstreamFault extends Error {
  readonly kind: FaultKind
  readonly status: number | null
  /** The provider's own wish for the next try, in milliseconds. */
  readonly retryAfterMs: number | null

  constructor(
    kind: FaultKind,
    message: string,
    extra: { readonly status?: number; readonly retryAfterMs?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? {} : { cause: extra.cause })
    this.name = 'UpstreamFault'
    this.kind = kind
    this.status = extra.status ?? null
    this.retryAfterMs = extra.retryAfterMs ?? null
  }
}

interface FaultRule {
  /** Another attempt may succeed: at the same provider, elsewhere only, or nowhere. */
  readonly next: 'retry' | 'elsewhere' | 'never'
  /** Says something about the provider's health. */
  readonly unhealthy: boolean
}

/** One line per kind of fault: what to do next and what it means for the provider. */
export const faultRules: Readonly<Record<FaultKind, FaultRule>> = {
  connect: { next: 'retry', unhealthy: true },
  refused_address: { next: 'elsewhere', unhealthy: false },
  server_error: { next: 'retry', unhealthy: true },
  rate_limited: { next: 'retry', unhealthy: false },
  credential: { next: 'elsewhere', unhealthy: true },
  bad_request: { next: 'never', unhealthy: false },
  timeout: { next: 'elsewhere', unhealthy: true },
  invalid: { next: 'elsewhere', unhealthy: true },
  broken: { next: 'retry', unhealthy: true },
}

/** The problem a caller gets for a fault; nothing of the provider's body but its scrubbed message. */
export function problemOf(fault: UpstreamFault, provider: string): ProblemError {
  switch (fault.kind) {
    case 'connect':
    case 'refused_address':
    case 'server_error':
      return errors.upstreamFailed({ provider }).causedBy(fault)
    case 'rate_limited': {
      const seconds = Math.max(1, Math.ceil((fault.retryAfterMs ?? 10_000) / 1000))
      return errors
        .upstreamRateLimited({ seconds })
        .withHeaders({ 'retry-after': String(seconds) })
        .causedBy(fault)
    }
    case 'credential':
      return errors.credentialRejected({ provider }).causedBy(fault)
    case 'bad_request':
      return errors.upstreamRefused({ message: fault.message }).causedBy(fault)
    case 'timeout':
      return errors.upstreamTimeout({ which: fault.message }).causedBy(fault)
    case 'invalid':
      return errors.upstreamInvalid({ why: fault.message }).causedBy(fault)
    case 'broken':
      return errors.streamBroken().causedBy(fault)
    default:
      return fault.kind satisfies never
  }
}

/** The fault an HTTP status stands for; null when it is a success. */
export function faultOfStatus(status: number, message: string, retryAfterMs: number | null): UpstreamFault | null {
  if (status >= 200 && status < 300) return null
  const extra = { status, retryAfterMs }
  if (status === 401 || status === 403) return new UpstreamFault('credential', 'the key was refused', extra)
  if (status === 408) return new UpstreamFault('timeout', 'the provider gave up waiting', extra)
  if (status === 429) return new UpstreamFault('rate_limited', 'the provider limits our calls', extra)
  if (status >= 500) return new UpstreamFault('server_error', `status ${status}`, extra)
  if (status >= 400) return new UpstreamFault('bad_request', message, extra)
  return new UpstreamFault('invalid', `an unexpected status ${status}`, extra)
}

const longestMessage = 2048

/** A provider's message as it may be shown: bounded, one line of printable text, without anything that looks like a key. */
export function scrub(message: string): string {
  return message
    .slice(0, longestMessage)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(/\b(?:sk|pk|ppt|Bearer|ghp|xox[abp])[-_ ][A-Za-z0-9_.-]{6,}/g, '[secret]')
    .replace(/[A-Za-z0-9+/_-]{40,}/g, '[secret]')
    .trim()
}
