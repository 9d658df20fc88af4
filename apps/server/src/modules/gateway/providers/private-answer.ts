/**
 * Faults in answers, and the part shown of answers from a private network, which the person who registers a provider
 * may not be allowed to read: nothing gets out of a service there that is no provider, neither in the words of an error
 * nor in the log. Promises that only the message of an error in the form that model servers write is passed on. Pure.
 * Tested in private-answer.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { withEvidence } from './evidence.ts'
import { type Evidence, UpstreamFault, unsaid } from './fault.ts'

/** The text where it is an error as model servers write one, and an empty one for all else. */
export function errorOfPrivate(text: string): string {
  return isModelError(text) ? text : ''
}

interface Read {
  readonly text: string
  readonly isPrivate: boolean
}

/** Reads a text. @throws UpstreamFault with as much of it as may be shown */
export function witnessed<T>({ text, isPrivate }: Read, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    const fault = withEvidence(error, text)
    throw isPrivate ? withoutExcerpt(fault, text) : fault
  }
}

/** A fault that was read out of an answer, without words and text that may be of a service that is no provider. */
function withoutExcerpt(fault: UpstreamFault, text: string): UpstreamFault {
  // An answer that cannot be read at all is described in our own words.
  const isOurs = fault.kind === 'invalid' || fault.kind === 'broken'
  return withDigestOnly(fault, isOurs || isModelError(text) ? fault.message : unsaid)
}

/** The fault with no more of the text behind it than its digest. */
export function withDigestOnly(fault: UpstreamFault, message = fault.message): UpstreamFault {
  const { kind, status, retryAfterMs, code, cause } = fault
  const evidence: Evidence | null = fault.evidence === null ? null : { ...fault.evidence, beginning: notKept }
  const facts = { status, retryAfterMs, code, evidence }
  return new UpstreamFault(kind, message, { ...facts, ...(cause === undefined ? {} : { cause }) })
}

const notKept = '[not kept: it comes from a private network]'

/** `{"error": {"message": …}}` as most write it, `{"error": …}` of Ollama, `{"object": "error", "message": …}` of vLLM. */
function isModelError(text: string): boolean {
  const value = parsed(text)
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(one)) return false
  if (typeof one.message === 'string' && (one.object === 'error' || one.type === 'error')) return true
  return typeof one.error === 'string' || (isRecord(one.error) && typeof one.error.message === 'string')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
