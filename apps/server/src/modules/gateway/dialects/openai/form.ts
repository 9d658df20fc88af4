/**
 * OpenAI's form of an error, at every address below `/openai`: the status of our own catalogue, our code in `code`, and
 * one of the types that OpenAI's clients know. Tested in sdk-errors.test.ts.
 */
import Type from 'typebox'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { RawForm } from '../../../../kernel/module/raw-form.ts'
import { nullable, oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { errors } from '../../declared/errors.ts'
import { messageOf, pointersOf, retryHeaders } from '../raw.ts'

const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'content_filter',
  'server_error',
] as const
type ErrorType = (typeof errorTypes)[number]

export interface OpenAiError {
  readonly error: {
    readonly message: string
    readonly type: ErrorType
    /** The invalid field, in OpenAI's notation: `messages[0].content`. */
    readonly param: string | null
    /** Our code, or the vendor's own if its clients act on it. */
    readonly code: string
  }
}

export const openAiForm: RawForm = {
  under: '/openai',
  errorSchema: strictObject({
    error: strictObject({
      message: Type.String(),
      type: oneOf(...errorTypes),
      param: nullable(Type.String()),
      code: Type.String({ maxLength: 64 }),
    }),
  }),
  error: (problem) => ({ body: openAiError(problem), headers: retryHeaders(problem) }),
}

export function openAiError(problem: ProblemError): OpenAiError {
  const [pointer] = pointersOf(problem)
  return {
    error: {
      message: messageOf(problem, paramOf),
      type: typeOf(problem),
      param: pointer === undefined ? null : paramOf(pointer),
      code: vendorCode(problem),
    },
  }
}

/** Clients shorten a conversation when they read this code. */
const tooLongCode = 'context_length_exceeded'

function vendorCode({ code, members }: ProblemError): string {
  if (code === errors.contextTooLong.code) return tooLongCode
  return typeof members.vendor_code === 'string' ? members.vendor_code : code
}

/** Codes of refusals because of content, not because of form. */
const contentCodes: ReadonlySet<string> = new Set([
  errors.promptInjection.code,
  errors.sensitiveData.code,
  errors.contentPolicy.code,
  errors.outputBlocked.code,
])

function typeOf({ code, status }: ProblemError): ErrorType {
  if (contentCodes.has(code)) return 'content_filter'
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** `/messages/0/content` is `messages[0].content`, and `?limit` is `limit`. */
export function paramOf(pointer: string): string {
  if (pointer.startsWith('?')) return pointer.slice(1)
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
}
