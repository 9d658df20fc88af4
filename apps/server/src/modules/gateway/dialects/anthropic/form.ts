/**
 * Anthropic's form of an error, at every address below `/anthropic`: the status of our own catalogue, one of the types
 * that Anthropic's clients know, and our code where they look for one. Tested in ../../anthropic-errors.test.ts.
 */
import Type from 'typebox'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { RawForm } from '../../../../kernel/module/raw-form.ts'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { errors } from '../../declared/errors.ts'
import { UpstreamFault } from '../../providers/fault.ts'
import { messageOf, pointersOf, retryHeaders } from '../raw.ts'

const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'overloaded_error',
] as const
type ErrorType = (typeof errorTypes)[number]

export interface AnthropicErrorBody {
  readonly type: 'error'
  readonly error: {
    readonly type: ErrorType
    readonly message: string
    /** Our code, or the vendor's own if its clients act on it; and the invalid fields, as JSON Pointers. */
    readonly details: { readonly error_code: string; readonly pointers?: readonly string[] }
  }
  readonly request_id: string
}

export const anthropicErrorForm: RawForm = {
  under: '/anthropic',
  errorSchema: strictObject({
    type: Type.Literal('error'),
    error: strictObject({
      type: oneOf(...errorTypes),
      message: Type.String(),
      details: strictObject({
        error_code: Type.String({ maxLength: 64 }),
        pointers: Type.Optional(Type.Array(Type.String())),
      }),
    }),
    request_id: Type.String(),
  }),
  error: (problem, { requestId }) => ({
    body: anthropicError(problem, requestId),
    headers: { ...retryHeaders(problem), ...requestIdHeader(requestId) },
  }),
}

/** The vendor's clients read the request id from this header. */
export function requestIdHeader(id: string): Readonly<Record<string, string>> {
  return { 'request-id': id }
}

export function anthropicError(problem: ProblemError, requestId: string): AnthropicErrorBody {
  const pointers = pointersOf(problem)
  const { vendor_code: known } = problem.members
  const code = typeof known === 'string' ? known : problem.code
  const details = { error_code: code, ...(pointers.length === 0 ? {} : { pointers }) }
  return {
    type: 'error',
    error: { type: typeOf(problem), message: withOwnWords(problem, messageOf(problem, dotted)), details },
    request_id: requestId,
  }
}

/** The vendor's clients recognize by this text that a conversation has to be shortened. */
const tooLongWords = 'prompt is too long'

function withOwnWords({ code, cause }: ProblemError, message: string): string {
  const isTooLong =
    code === errors.contextTooLong.code || (cause instanceof UpstreamFault && cause.kind === 'context_too_long')
  return isTooLong && !message.toLowerCase().includes(tooLongWords) ? `${tooLongWords}: ${message}` : message
}

/** `/messages/0/content` is `messages.0.content`. */
const dotted = (pointer: string): string => pointer.replace(/^[/?]/, '').replaceAll('/', '.')

const typeOfStatus: Readonly<Record<number, ErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

function typeOf({ code, status }: ProblemError): ErrorType {
  if (code === errors.noHealthyTarget.code) return 'overloaded_error'
  if (code === errors.upstreamTimeout.code) return 'timeout_error'
  return typeOfStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
