/** Meaning of Google's errors, as an answer and inside a stream. Pure. Tested in gemini.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { ErrorAnswer } from '../../adapter.ts'
import { faultOfStatus, retryAfterMs, scrub, type UpstreamFault } from '../../fault.ts'
import { GeminiError } from './schema.ts'

const unsaid = 'The provider refused the request without saying why.'

/** The fault an answer other than 2xx stands for. */
export function errorOf({ status, body, header }: ErrorAnswer): UpstreamFault {
  const found = errorIn(body)
  const waitMs = retryAfterMs(header)
  return found === null ? faultOfStatus(status, unsaid, waitMs) : faultOf(found, { status, waitMs })
}

/** An error inside a stream is the HTTP error it stands for. */
export function faultOfEvent(found: GeminiError): UpstreamFault {
  return faultOf(found, { status: found.error.code ?? 500, waitMs: null })
}

interface Around {
  readonly status: number
  readonly waitMs: number | null
}

function faultOf({ error }: GeminiError, { status, waitMs }: Around): UpstreamFault {
  const message = scrub(error.message ?? unsaid)
  const known = plainStatus(error, status)
  return faultOfStatus(known, message, waitMs ?? wantedWaitMs(error))
}

/** A key it does not know is a bad request here, and a time that was not enough one of the server's errors. */
function plainStatus({ status: name, details }: GeminiError['error'], status: number): number {
  if (details?.some(({ reason }) => reason === 'API_KEY_INVALID') === true) return 401
  return name === 'DEADLINE_EXCEEDED' || name === 'CANCELLED' ? 408 : status
}

/** `RetryInfo` gives in seconds the delay that other vendors send in a header. */
function wantedWaitMs({ details }: GeminiError['error']): number | null {
  for (const { retryDelay } of details ?? []) {
    const [, seconds] = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(retryDelay ?? '') ?? []
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000)
  }
  return null
}

/** Some answers hold a list of one. */
function errorIn(text: string): GeminiError | null {
  try {
    const body: unknown = JSON.parse(text)
    const one: unknown = Array.isArray(body) ? body[0] : body
    return fits(GeminiError, one) ? one : null
  } catch {
    // Not JSON: nothing of it is passed on.
    return null
  }
}
