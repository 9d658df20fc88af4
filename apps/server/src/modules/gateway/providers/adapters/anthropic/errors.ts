/** Meaning of Anthropic's errors, as an answer and inside a stream. Pure. Tested in decode.test.ts. */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import { faultOfStatus, UpstreamFault } from '../../fault.ts'
import type { SaidError } from '../../said-error.ts'

/** The HTTP status that each type of error has outside a stream. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** An error event inside a 200 stream is the HTTP error it stands for. */
export function faultOfEvent({ type, message }: Pick<SaidError, 'type' | 'message'>): UpstreamFault {
  const status = type !== null && Object.hasOwn(statusOfType, type) ? (statusOfType[type] ?? 500) : 500
  return faultOfStatus(status, message ?? 'an error event', null)
}

export function parseJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new UpstreamFault('invalid', 'it is not JSON', { cause: error })
  }
}
