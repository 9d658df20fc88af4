/**
 * Entry point of a model call in any dialect: runs the pipeline and passes its answer to the dialect's writer. The
 * outcome is stored before the last byte is sent, and a client that disconnects ends the call at the provider. Tested
 * in chat.test.ts and chat-stream.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Answer, type RequestInfo, StreamAnswer } from '../../../kernel/module/route.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithCache } from '../cache/kept/call-cache.ts'
import type { Asked } from '../call/asked.ts'
import type { AnswerEvent } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import { errors } from '../declared/errors.ts'
import type { AnswerWriter, WriterContext } from '../dialects/dialect.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import { ClientClosed, finishCall } from '../pipeline/finish.ts'
import type { Pipeline } from '../pipeline/order.ts'
import { runSteps } from '../pipeline/run.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { type RestOfAnswer, type StreamEnd, streamFrames } from './stream-frames.ts'

export interface CallParts {
  readonly kernel: Kernel
  readonly pipeline: Pipeline
}

export interface CallInput {
  readonly actor: Actor
  readonly info: RequestInfo
  readonly asked: Asked
}

/**
 * Runs steps 1 to 13. Step 14 has not run: the caller must call `finishCall` in the end, whatever happens. The returned
 * state holds a refusal (`error`), a complete answer or a stream to be read.
 */
export async function startCall({ kernel, pipeline }: CallParts, input: CallInput): Promise<CallState> {
  const state = beginCall(kernel, { actor: input.actor, info: input.info }, input.asked)
  pipeline.watch.began()
  state.life.cleanups.push(kernel.stopping.hold(() => state.life.abort.abort(brokenOff(state))))
  watchClient(state, input.info)
  await runSteps(kernel, pipeline.answering, state)
  return state
}

/** Runs a call that is not streamed to its end. @throws ProblemError with the member `security` when it is blocked or fails */
export async function runCall(parts: CallParts, input: CallInput): Promise<CallState> {
  const state = await startCall(parts, input)
  await finishCall(parts.kernel, parts.pipeline, state)
  return state
}

/** Runs a call and writes its answer. @throws ProblemError as above, with the writer's headers */
export async function answerCall<Body>(
  parts: CallParts,
  input: CallInput,
  writer: AnswerWriter<Body>,
): Promise<Answer<Body> | StreamAnswer> {
  const state = await startCall(parts, input)
  const context: WriterContext = { kernel: parts.kernel, info: input.info, state }
  if (state.progress.error === null && state.answer.flow !== null && input.asked.stream)
    return stream(parts, context, writer)
  await finishOrRefuse(parts, context, writer.errorHeaders)
  return new Answer(writer.whole(context, wholeAnswer(state)), { headers: writer.headers(context) })
}

/** Runs a call that is refused because it could not be parsed. @throws ProblemError as above */
export async function refuseCall(
  parts: CallParts,
  input: CallInput,
  errorHeaders: AnswerWriter<never>['errorHeaders'],
): Promise<void> {
  const state = await startCall(parts, input)
  await finishOrRefuse(parts, { kernel: parts.kernel, info: input.info, state }, errorHeaders)
}

async function finishOrRefuse(
  { kernel, pipeline }: CallParts,
  context: WriterContext,
  errorHeaders: AnswerWriter<never>['errorHeaders'],
): Promise<void> {
  try {
    await finishCall(kernel, pipeline, context.state)
  } catch (error) {
    if (error instanceof ProblemError) error.withHeaders(errorHeaders(context))
    throw error
  }
}

/** The events of a complete answer. */
export function wholeAnswer({ answer: { flow: answer } }: WithAnswer): readonly AnswerEvent[] {
  return answer?.kind === 'whole' ? answer.events : []
}

/**
 * Whether the answer is still needed after its client disconnected: by the same client on a retry, or by others that
 * wait for the same answer.
 */
function goesOn(
  { plan: { policy }, cached: { awaited } }: WithPlan & WithCache,
  { header }: Pick<RequestInfo, 'header'>,
): boolean {
  if (policy.effective.upstream.on_client_disconnect !== 'finish') return false
  return header('idempotency-key') !== undefined || awaited?.() === true
}

/** Error of a call that outlives the shutdown grace period of the process; a stream breaks. */
function brokenOff({ answer: { flow: answer } }: WithAnswer): ProblemError {
  if (answer?.kind === 'stream') return errors.streamBroken().causedBy(new Error('this instance was stopped'))
  return apiErrors.unavailable({
    what: 'This instance was stopped before the model had answered. Send the call again.',
  })
}

function watchClient(state: WithLife & WithPlan & WithCache, info: RequestInfo): void {
  const { signal } = info
  const gone = (): void => {
    if (!goesOn(state, { header: (name) => info.header(name) })) state.life.abort.abort(new ClientClosed())
  }
  if (signal.aborted) gone()
  signal.addEventListener('abort', gone, { once: true })
  state.life.cleanups.push(() => signal.removeEventListener('abort', gone))
}

function stream<Body>(
  { kernel, pipeline }: CallParts,
  context: WriterContext,
  writer: AnswerWriter<Body>,
): StreamAnswer {
  const { state } = context
  const end: StreamEnd = {
    finish: () => finishCall(kernel, pipeline, state),
    fail: async (error) => {
      state.write({ progress: { error: state.progress.error ?? endReason(state, error) } })
      await finishCall(kernel, pipeline, state)
    },
    abandon: (rest) => {
      if (!state.life.abort.aborted && goesOn(state, { header: (name) => context.info.header(name) })) {
        kernel.background('finish an abandoned stream', finishUnseen({ kernel, pipeline }, state, rest))
        return
      }
      state.life.abort.abort(new ClientClosed())
      // Not awaited: it ends together with the provider's read, which was aborted.
      kernel.background('close an abandoned stream', Promise.resolve(rest.return?.()).catch(ignoreAbort))
      state.write({ progress: { error: state.progress.error ?? endReason(state, null) } })
      // The client is gone, so the resulting problem is not sent to anyone.
      kernel.background('record an abandoned stream', finishCall(kernel, pipeline, state).catch(ignoreProblem))
    },
  }
  const frames = streamFrames(kernel, { state, writer: writer.stream(context), end })
  const trailers = writer.trailers?.(context) ?? null
  return new StreamAnswer(
    'text/event-stream; charset=utf-8',
    frames,
    { 'cache-control': 'no-store', ...writer.headers(context) },
    trailers === null || trailers.names.length === 0 ? null : trailers,
  )
}

/** Reads the rest of an answer for callers that will request it later. */
async function finishUnseen({ kernel, pipeline }: CallParts, state: CallState, rest: RestOfAnswer): Promise<void> {
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next());
  } catch (error) {
    state.write({ progress: { error: state.progress.error ?? endReason(state, error) } })
  }
  await finishCall(kernel, pipeline, state).catch(ignoreProblem)
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof ClientClosed)) throw error
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code === errors.auditUnavailable.code) throw error
}

function endReason(state: WithLife, error: unknown): ProblemError {
  const reason: unknown = state.life.abort.aborted ? state.life.abort.reason : error
  return reason instanceof ProblemError ? reason : errors.streamBroken().causedBy(reason)
}
