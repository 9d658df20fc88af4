/**
 * The fault an error stands for, in an answer of its own, in a 200 body and inside a stream. OpenAI says it by a code in
 * words, by a type or by both, and servers that speak its form by a number. Pure. Tested in stream-errors.test.ts.
 */
import type { ErrorAnswer } from '../../adapter.ts'
import { type FaultKind, faultOfStatus, retryAfterMs, scrub, UpstreamFault, unsaid } from '../../fault.ts'
import { errorInBody } from '../../said-error.ts'

export interface StreamError {
  readonly code?: string | number | null | undefined
  readonly type?: string | null | undefined
  readonly message?: string | null | undefined
}

/** The status that each code, and each type, has outside a stream. */
const statusOfName: Readonly<Record<string, number>> = {
  context_length_exceeded: 400,
  string_above_max_length: 400,
  content_filter: 400,
  content_policy_violation: 400,
  image_content_policy_violation: 400,
  invalid_request_error: 400,
  invalid_prompt: 400,
  invalid_api_key: 401,
  account_deactivated: 401,
  authentication_error: 401,
  permission_error: 403,
  unsupported_country_region_territory: 403,
  model_not_found: 404,
  not_found_error: 404,
  timeout: 408,
  // The type of a rate limit error is the unit that the limit counts.
  requests: 429,
  tokens: 429,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  billing_hard_limit_reached: 429,
  billing_not_active: 429,
  server_error: 500,
  api_error: 500,
  internal_error: 500,
  slow_down: 503,
  overloaded_error: 503,
  engine_overloaded: 503,
  server_is_overloaded: 503,
  service_unavailable_error: 503,
}

/** Codes that are more reliable than the words beside them. */
const kindOfCode: Readonly<Record<string, FaultKind>> = {
  context_length_exceeded: 'context_too_long',
  content_filter: 'content_filtered',
  content_policy_violation: 'content_filtered',
  image_content_policy_violation: 'content_filtered',
}

/** The fault an answer other than 2xx stands for. */
export function errorOf({ status, body, header }: ErrorAnswer): UpstreamFault {
  const { message, code } = errorInBody(body)
  const fault = faultOfStatus(status, message ?? unsaid, retryAfterMs(header))
  return withCode(fault, { code, message: message ?? unsaid })
}

/** An error inside a 200 answer is the HTTP error it stands for. */
export function faultOfStreamError({ code, type, message }: StreamError): UpstreamFault {
  const said = scrub(message ?? 'an error event')
  const status = statusOf(code, type ?? '', said)
  if (status === null) return new UpstreamFault('server_error', said)
  return withCode(faultOfStatus(status, said, null), { code, message: said })
}

interface Coded {
  readonly code: StreamError['code']
  readonly message: string
}

/** A refusal is of the kind its code names, and passes the code on. */
function withCode(fault: UpstreamFault, { code, message }: Coded): UpstreamFault {
  const kind = typeof code === 'string' && Object.hasOwn(kindOfCode, code) ? kindOfCode[code] : undefined
  if (kind === undefined || typeof code !== 'string' || !isRefusal(fault)) return fault
  return new UpstreamFault(kind, message, { status: fault.status, code })
}

function isRefusal({ kind }: UpstreamFault): boolean {
  return kind === 'bad_request' || kind === 'context_too_long' || kind === 'content_filtered'
}

/** The code says more than the type, and both more than the words; null for a number that is no status of an error. */
function statusOf(code: StreamError['code'], type: string, message: string): number | null {
  if (typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code))) {
    const status = Number(code)
    return status >= 400 && status < 600 ? status : null
  }
  const known = [code ?? '', type].find((name) => Object.hasOwn(statusOfName, name))
  if (known !== undefined) return statusOfName[known] ?? null
  const names = `${code ?? ''} ${type}`
  return names.trim() === '' && /rate limit|too many requests|quota/i.test(message) ? 429 : byWords(names)
}

/** Names that are not listed above: other servers make up their own. */
function byWords(names: string): number {
  if (/rate_?limit|quota|too_many_requests/i.test(names)) return 429
  if (/authentication|permission|unauthorized|api_key/i.test(names)) return 401
  return /invalid|bad_?request/i.test(names) ? 400 : 500
}
