/**
 * The one place where an error becomes an answer. A problem keeps its code; anything else is `API-008`, with the cause in
 * the log line of the same request id and nowhere else. Tested in app.test.ts.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { apiErrors } from '../errors/errors.ts'
import { ProblemError } from '../errors/problem.ts'
import type { Kernel } from '../kernel.ts'
import type { RawForm } from '../module/raw-form.ts'
import { problemBody } from './answer/envelope.ts'
import type { Call } from './call.ts'
import { callHeaders, securityHeaders } from './headers.ts'
import { rateCheck } from './limits.ts'
import type { FormOf } from './raw-forms.ts'
import type { Surface, SurfaceAnswer } from './surfaces.ts'

export type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** `formOf` says which addresses answer in a vendor's form. */
export function createRefusal(kernel: Kernel, formOf: FormOf): Refuse {
  const countStranger = rateCheck(kernel, 'credential')
  const fixed = securityHeaders(kernel.config.publicUrl)
  const isNoted = createNoting(kernel)
  return async (error, request, reply) => {
    const { call } = request
    // The client went away in the middle of its body or of our stream: there is no one to answer.
    if (isPrematureClose(error) || isCutOff(request)) return reply
    const problem = await counted(
      call,
      await told(request, toProblem(error, request.routeOptions.bodyLimit)),
      countStranger,
    )
    report(kernel, call, { problem, error })
    if (isNoted(call, problem)) auditRefusal(kernel, call, problem)
    call.errorCode = problem.code
    const form = { raw: formOf(call.path), page: pageFor(request) }
    const written = write(kernel, call, { problem, form })
    return (
      reply
        .code(problem.status)
        // Addresses that cannot be read are refused before any hook could add these.
        .headers(fixed)
        .headers(callHeaders(call))
        .headers({ ...challengeOf(problem), ...problem.headers, ...written.headers })
        .header('content-type', written.type)
        .send(written.body)
    )
  }
}

/** As a route declares it. */
export type TellUnread = (call: Call, actor: Actor, problem: ProblemError) => Promise<void>

/** Codes of bodies and queries that cannot be read. */
const unreadable: ReadonlySet<string> = new Set([
  apiErrors.validation.code,
  apiErrors.malformedJson.code,
  apiErrors.tooLarge.code,
  apiErrors.mediaType.code,
])

async function told({ call, routeOptions }: FastifyRequest, problem: ProblemError): Promise<ProblemError> {
  const { unread } = routeOptions.config
  if (unread === undefined || call.isRead || call.actor === null || !unreadable.has(problem.code)) return problem
  try {
    await unread(call, call.actor, problem)
    return problem
  } catch (error) {
    return toProblem(error, routeOptions.bodyLimit)
  }
}

/** Addresses of the API that browsers open have a page for those who accept one; others have a problem document. */
function pageFor({ call, routeOptions: { config } }: FastifyRequest): Surface['problemPage'] {
  const isAccepted = config.pageIfAccepted !== true || call.header('accept')?.includes('text/html') === true
  return isAccepted ? config.problemPage : undefined
}

type Written = Pick<SurfaceAnswer, 'type' | 'body' | 'headers'>

interface Form {
  /** Fixed by a vendor, or null. */
  readonly raw: RawForm | null
  /** Of an address that browsers open. */
  readonly page: Surface['problemPage']
}

/** The written form of a refusal: a problem document, a page, or what the vendor's form says. */
function write(
  kernel: Kernel,
  call: Call,
  { problem, form: { raw, page } }: { readonly problem: ProblemError; readonly form: Form },
): Written {
  if (page !== undefined) return page(problem)
  const facts = factsOf(call)
  if (raw !== null) {
    const { body, headers = {} } = raw.error(problem, { ...facts, publicUrl: kernel.config.publicUrl })
    return { body: JSON.stringify(body), headers, type: `${raw.mediaType ?? 'application/json'}; charset=utf-8` }
  }
  const body = problemBody(problem, { ...facts, publicUrl: kernel.config.publicUrl })
  return { body: JSON.stringify(body), type: 'application/problem+json; charset=utf-8' }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** RFC 9110 section 11.6.1: a 401 says how to authenticate; RFC 6750 section 3.1: and names the token's error. */
function challengeOf(problem: ProblemError): Readonly<Record<string, string>> {
  if (problem.status !== 401) return {}
  const wrong = problem.code === 'AUTH-002' || problem.code === 'AUTH-003' ? ', error="invalid_token"' : ''
  return { 'www-authenticate': `Bearer realm="parapet"${wrong}` }
}

/** A refusal with a code explains itself; the cause of a 5xx goes to the log only. */
function report(kernel: Kernel, call: Call, what: { readonly problem: ProblemError; readonly error: unknown }): void {
  const { problem, error } = what
  const facts = { request_id: call.id, error_code: problem.code }
  if (problem.code === 'API-008') kernel.log.error({ ...facts, err: error }, 'request failed')
  else if (problem.status >= 500 && problem.cause !== undefined)
    kernel.log.warn({ ...facts, err: problem.cause }, problem.message)
}

function factsOf(call: Call) {
  return { requestId: call.id, timestamp: call.timestamp, path: call.path }
}

/** A refused stranger is counted by address, so that guessing runs into the limit as well. */
async function counted(
  call: Call,
  problem: ProblemError,
  count: (call: Call) => undefined | Promise<undefined>,
): Promise<ProblemError> {
  if (call.limit !== null || call.actor !== null) return problem
  try {
    await count(call)
    return problem
  } catch (error) {
    return error instanceof ProblemError ? error : problem
  }
}

/** `bodyLimit` is that of the route, in bytes. */
export function toProblem(error: unknown, bodyLimit: number): ProblemError {
  if (error instanceof ProblemError) return error
  return isFastifyError(error) ? fromFastify(error, bodyLimit) : apiErrors.internal().causedBy(error)
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_')
}

function fromFastify(error: FastifyError, bodyLimit: number): ProblemError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiErrors.tooLarge({ limit: bodyLimit })
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return apiErrors.mediaType({ expected: 'application/json' })
  if (error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return apiErrors.malformedJson({ what: 'The body is empty.' })
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return apiErrors.validation({ what: 'The body does not have the announced length.' })
  // No id is that long.
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return apiErrors.noSuchRoute()
  if (error.code === 'FST_ERR_BAD_URL') return apiErrors.validation({ what: 'The address is not valid.' })
  if (error.statusCode !== undefined && error.statusCode < 500)
    return apiErrors.validation({ what: 'The request is not valid.' })
  return apiErrors.internal().causedBy(error)
}

const noted = new Set([401, 403, 429])
const quietMs = 60_000
/** Callers whose last refusal by a limit is remembered. */
const mostRemembered = 10_000

/** Which refusals of signed-in callers the audit log gets: of those by a limit one a minute, or a flood would fill it. */
function createNoting({ clock }: Pick<Kernel, 'clock'>): (call: Call, problem: ProblemError) => boolean {
  const last = new Map<string, number>()
  return ({ actor }, { status }) => {
    if (actor === null || !noted.has(status)) return false
    if (status !== 429) return true
    const caller = `${actor.tenantId} ${actor.userId}`
    const now = clock.now()
    if (now - (last.get(caller) ?? Number.NEGATIVE_INFINITY) < quietMs) return false
    if (last.size >= mostRemembered) last.clear()
    last.set(caller, now)
    return true
  }
}

function auditRefusal(kernel: Kernel, call: Call, problem: ProblemError): void {
  const { actor } = call
  if (actor === null) return
  const origin = { actor, requestId: call.id, ip: call.ip, userAgent: call.userAgent, traceparent: call.traceparent }
  const entry = kernel.db.tenant({ tenantId: actor.tenantId, origin }, (tx) =>
    tx.audit('access.refuse', { target: `route:${call.path.slice(0, 500)}`, reason: problem.code, result: 'refused' }),
  )
  kernel.background('audit-refusal', entry)
}
