import { EgressError } from '../../../kernel/egress/errors.ts'
import { whyNoConnection } from '../../../kernel/egress/no-connection.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../declared/errors.ts'

export type FaultKind =
  | 'connect'
  | 'refused_address'
  | 'server_error'
  | 'rate_limited'
  | 'credential'
  | 'bad_request'
  | 'context_too_long'
  | 'content_filtered'
  | 'timeout'
  | 'invalid'
  | 'broken'

/** The log's record of an answer that could not be used, for finding the reason. */
export interface Evidence {
  /** Of the whole text as far as it was read. */
  readonly sha256: string
  /** Its first characters, scrubbed. */
  readonly beginning: string
}

interface FaultFacts {
  readonly status?: number | null
  readonly retryAfterMs?: number | null
  readonly evidence?: Evidence | null
  readonly code?: string | null
  readonly cause?: unknown
}

/** A provider's failure, with the evidence that the log may keep. */
export class UpstreamFault extends Error {
  readonly kind: FaultKind
  readonly status: number | null
  /** The provider's own wish for the next try, in milliseconds. */
  readonly retryAfterMs: number | null
  readonly evidence: Evidence | null
  /** The vendor's own code, where clients act on it. */
  readonly code: string | null

  constructor(kind: FaultKind, message: string, extra: FaultFacts = {}) {
    super(message, extra.cause === undefined ? {} : { cause: extra.cause })
    this.name = 'UpstreamFault'
    this.kind = kind
    this.status = extra.status ?? null
    this.retryAfterMs = extra.retryAfterMs ?? null
    this.evidence = extra.evidence ?? null
    this.code = extra.code ?? null
  }
}

/**
 * Whether a target that failed like this has read the prompt and will charge for it: it did not answer in time,
 * withheld its answer, or sent an answer that cannot be read. A refusal with a status is free.
 */
export function hasRead({ kind, status, cause }: UpstreamFault): boolean {
  if (status !== null) return false
  if (kind === 'timeout') return !(cause instanceof EgressError && cause.kind === 'timeout_connect')
  return kind === 'content_filtered' || kind === 'invalid'
}

/** Why another target may be asked, in the words of routes. */
export const fallbackCauses = [
  'error',
  'timeout',
  'rate_limited',
  'bad_response',
  'context_too_long',
  'content_filtered',
  'bad_request',
] as const
export type FallbackCause = (typeof fallbackCauses)[number]

/** Default causes for asking another target: those that say nothing about the call itself. */
export const ordinaryCauses: readonly FallbackCause[] = ['error', 'timeout', 'rate_limited', 'bad_response']

interface FaultRule {
  /** The cause that a route's fallback condition compares. */
  readonly cause: FallbackCause
  /** The same target may do better at the next try. */
  readonly retry: boolean
  /** Counts as a failure of the target that was asked. */
  readonly breaks: boolean
  /** Says something about the provider's health. */
  readonly unhealthy: boolean
}

/** One line per kind of fault: the next step and its meaning for the provider. */
export const faultRules: Readonly<Record<FaultKind, FaultRule>> = {
  connect: { cause: 'error', retry: true, breaks: true, unhealthy: true },
  refused_address: { cause: 'error', retry: false, breaks: false, unhealthy: false },
  server_error: { cause: 'error', retry: true, breaks: true, unhealthy: true },
  rate_limited: { cause: 'rate_limited', retry: false, breaks: false, unhealthy: false },
  credential: { cause: 'error', retry: false, breaks: false, unhealthy: true },
  bad_request: { cause: 'bad_request', retry: false, breaks: false, unhealthy: false },
  context_too_long: { cause: 'context_too_long', retry: false, breaks: false, unhealthy: false },
  content_filtered: { cause: 'content_filtered', retry: false, breaks: false, unhealthy: false },
  timeout: { cause: 'timeout', retry: false, breaks: true, unhealthy: true },
  invalid: { cause: 'bad_response', retry: false, breaks: true, unhealthy: true },
  broken: { cause: 'error', retry: true, breaks: true, unhealthy: true },
}

/** The problem a caller gets for a fault; nothing of the provider's body but its scrubbed message. */
export function problemOf(fault: UpstreamFault, provider: string): ProblemError {
  switch (fault.kind) {
    case 'connect':
      return errors.upstreamFailed({ provider, how: `could not be reached: ${fault.message}` }).causedBy(fault)
    case 'refused_address':
      return errors.upstreamFailed({ provider, how: 'could not be reached' }).causedBy(fault)
    case 'server_error':
      return errors.upstreamFailed({ provider, how: failedWith(fault) }).causedBy(fault)
    case 'rate_limited': {
      const seconds = Math.max(1, Math.ceil((fault.retryAfterMs ?? 10_000) / 1000))
      return errors
        .upstreamRateLimited({ seconds })
        .withHeaders({ 'retry-after': String(seconds) })
        .causedBy(fault)
    }
    case 'credential':
      return errors.credentialRejected({ provider, how: 'refused the stored key' }).causedBy(fault)
    case 'context_too_long':
      return errors
        .upstreamRefused({ message: fault.message })
        .withMembers(fault.code === null ? {} : { vendor_code: fault.code })
        .causedBy(fault)
    case 'bad_request':
    case 'content_filtered':
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

/**
 * A fault in our words alone, for people who may not read the provider's message: an address that is no provider may
 * answer with secrets.
 */
export function inOurWords(fault: UpstreamFault): string {
  const { kind, status, message } = fault
  if (kind === 'server_error') return status === null ? 'answered with an error' : `status ${status}`
  if (kind === 'rate_limited') return 'the provider limits our calls'
  if (kind === 'credential' && status !== null) return 'the key was refused'
  if (kind === 'broken') return 'the answer broke off'
  return message
}

/** Of the provider's own words about its failure only the number is for callers. */
function failedWith({ status }: UpstreamFault): string {
  return status === null ? 'answered with an error' : `answered with status ${status}`
}

/** Stands for the words of a provider that gave none. */
export const unsaid = 'The provider refused the request without saying why.'

/** The fault an HTTP status other than 2xx stands for. Of refusals callers get the message, of the rest the log keeps it. */
export function faultOfStatus(status: number, message: string, retryAfterMs: number | null): UpstreamFault {
  const extra = { status, retryAfterMs }
  const noted = (short: string): string => (message === '' || message === unsaid ? short : `${short}: ${message}`)
  if (status === 401 || status === 403) return new UpstreamFault('credential', noted('the key was refused'), extra)
  if (status === 408) return new UpstreamFault('timeout', 'the provider gave up waiting', extra)
  if (status === 429) return new UpstreamFault('rate_limited', noted('the provider limits our calls'), extra)
  if (status >= 500) return new UpstreamFault('server_error', noted(`status ${status}`), extra)
  if (status >= 400) return new UpstreamFault(kindOfRefusal(message), message, extra)
  return new UpstreamFault('invalid', `an unexpected status ${status}`, extra)
}

/** Vendors tell these apart in words only. */
function kindOfRefusal(message: string): FaultKind {
  if (tooLong.test(message)) return 'context_too_long'
  return filtered.test(message) ? 'content_filtered' : 'bad_request'
}

const tooLong =
  /context[ _-](?:length|window|size)|maximum context|prompt is too long|input is too long|too many tokens|exceeds the maximum number of tokens/i
const filtered = /content[ _-](?:filter|management policy)|responsible ?ai|safety (?:filter|system)/i

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

/** No quota of a provider comes back later than with the next day; a longer delay is a mistake. */
const longestWishMs = 86_400_000

/** The provider's wish for the next try, by the headers vendors share. */
export function retryAfterMs(header: (name: string) => string): number | null {
  const wish = wishIn(header)
  return wish === null || Number.isNaN(wish) ? null : Math.min(Math.max(0, wish), longestWishMs)
}

/** Not a number where a date cannot be read. */
function wishIn(header: (name: string) => string): number | null {
  const ms = header('retry-after-ms')
  if (/^\d{1,15}$/.test(ms)) return Number(ms)
  const wish = header('retry-after')
  if (/^\d{1,12}$/.test(wish)) return Number(wish) * 1000
  // RFC 9110 section 10.2.3: a date as well. It is the provider's, so its own clock says how far away that is.
  return /^[A-Z][a-z]{2}/.test(wish) ? Date.parse(wish) - Date.parse(header('date')) : null
}

/** The fault that a failure on the way out stands for. */
export function faultOfEgress(error: EgressError): UpstreamFault {
  const cause = { cause: error }
  switch (error.kind) {
    case 'refused':
      return new UpstreamFault('refused_address', `refused: ${error.rule ?? 'address'}`, cause)
    case 'connect':
      return new UpstreamFault('connect', whyNoConnection(error) ?? 'no connection', cause)
    case 'proxy':
      return new UpstreamFault('connect', error.brief, cause)
    case 'timeout_connect':
      return new UpstreamFault('timeout', 'connecting', cause)
    case 'timeout_first_byte':
      return new UpstreamFault('timeout', 'first byte', cause)
    case 'timeout_idle':
      return new UpstreamFault('timeout', 'a gap in the answer', cause)
    case 'timeout_total':
      return new UpstreamFault('timeout', 'total', cause)
    case 'too_large':
      return new UpstreamFault('invalid', 'it is too large', cause)
    case 'reset':
    case 'aborted':
      return new UpstreamFault('broken', 'its connection broke', cause)
    default:
      return error.kind satisfies never
  }
}
