/**
 * Calls that cannot be parsed: the body is not JSON, is too large or does not fit its schema, or a header is invalid.
 * They go through the pipeline like all others, and the first step refuses them, so that the log, the audit chain and
 * the counts have every call of a known caller. Tested in unread-calls.test.ts.
 */
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Unread } from '../../../kernel/module/route.ts'
import { refuseCall } from '../answering/run-call.ts'
import { type Asked, plainAsked } from '../call/asked.ts'
import type { AnswerWriter } from '../dialects/dialect.ts'
import type { GatewayServices } from '../services/gateway-services.ts'

type Form = Pick<Asked, 'operation' | 'dialect'>

/** The parsed request; a call that cannot be parsed is refused with its error. */
export function askedOrUnread(form: Form, read: () => Asked): Asked {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return unreadCall(form, error)
  }
}

/** For routes: records a call that did not reach its handler. */
export function recordUnread(form: Form, errorHeaders: AnswerWriter<never>['errorHeaders']) {
  return ({ actor, services, request: info, problem }: Unread<GatewayServices>): Promise<void> =>
    refuseCall(services, { actor, info, asked: unreadCall(form, problem) }, errorHeaders)
}

export function unreadCall(form: Form, problem: ProblemError): Asked {
  const read = (): never => {
    throw problem
  }
  return { ...plainAsked, ...form, read }
}
