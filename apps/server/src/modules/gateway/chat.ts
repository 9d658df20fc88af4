/**
 * The shell of a model call: runs the pipeline and gives its answer the form that was asked for. Promises that the
 * outcome is stored before the last byte leaves and that a client that goes away ends the call at the provider.
 * Tested in chat.test.ts and chat-stream.test.ts.
 */

import type { Actor } from '../../kernel/auth/actor.ts'
import { ProblemError } from '../../kernel/http/problem.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { Answer, type RequestInfo, StreamAnswer } from '../../kernel/route.ts'
import { collectAnswer } from './call/answer.ts'
import type { AnswerEvent } from './call/call.ts'
import type { ChatCompletion, ChatRequest } from './call/chat-schema.ts'
import { usageOf } from './call/usage.ts'
import { errors } from './errors.ts'
import { beginCall } from './pipeline/begin.ts'
import type { CallState } from './pipeline/call-state.ts'
import { ClientClosed, finishCall } from './pipeline/finish.ts'
import type { Pipeline } from './pipeline/order.ts'
import { runSteps } from './pipeline/run.ts'
import { costOf, offlineOf, securityOf } from './records/row.ts'
import { type StreamEnd, streamFrames } from './stream-frames.ts'

export interface ChatParts {
  readonly kernel: Kernel
  readonly pipeline: Pipeline
}

export interface ChatCall {
  readonly actor: Actor
  readonly info: RequestInfo
  readonly request: ChatRequest
  readonly wantsTimings: boolean
}

/** @throws ProblemError with the member `security` when the call is blocked or fails */
export async function chat(parts: ChatParts, asked: ChatCall): Promise<Answer<ChatCompletion> | StreamAnswer> {
  const state = beginCall(parts.kernel, { actor: asked.actor, info: asked.info }, asked.request)
  watchClient(state, asked.info.signal)
  await runSteps(parts.kernel, parts.pipeline.answering, state)
  if (state.error === null && state.answer !== null && asked.request.stream === true) return stream(parts, asked, state)
  await finishCall(parts.kernel, parts.pipeline, state)
  const events = state.answer?.kind === 'whole' ? state.answer.events : []
  return new Answer(completionOf(state, events), { headers: headersOf(state, asked.wantsTimings) })
}

function watchClient(state: CallState, signal: AbortSignal): void {
  const gone = (): void => state.abort.abort(new ClientClosed())
  if (signal.aborted) gone()
  signal.addEventListener('abort', gone, { once: true })
  state.cleanups.push(() => signal.removeEventListener('abort', gone))
}

function stream({ kernel, pipeline }: ChatParts, asked: ChatCall, state: CallState): StreamAnswer {
  const end: StreamEnd = {
    finish: () => finishCall(kernel, pipeline, state),
    fail: async (error) => {
      state.error ??= endReason(state, error)
      await finishCall(kernel, pipeline, state)
    },
    abandon: () => {
      state.abort.abort(new ClientClosed())
      state.error ??= new ClientClosed()
      // The problem it ends with has nobody to go to.
      kernel.background('record an abandoned stream', finishCall(kernel, pipeline, state).catch(ignoreProblem))
    },
    summary: () => summaryOf(state),
  }
  const frames = streamFrames(kernel, { state, info: asked.info, end })
  return new StreamAnswer('text/event-stream; charset=utf-8', frames, {
    'cache-control': 'no-store',
    ...headersOf(state, false),
  })
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code === errors.auditUnavailable.code) throw error
}

function endReason(state: CallState, error: unknown): ProblemError {
  const reason: unknown = state.abort.signal.aborted ? state.abort.signal.reason : error
  return reason instanceof ProblemError ? reason : errors.streamBroken().causedBy(reason)
}

function summaryOf(state: CallState) {
  return {
    id: state.facts.id,
    provider: state.served?.provider.name ?? '',
    usage: usageOf(state) ?? noUsage,
    cost: costOf(state),
    cache: state.cache,
    mode: state.policy.effective.mode,
    security: securityOf(state),
  }
}

const noUsage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  usage_source: 'estimated',
} as const

function completionOf(state: CallState, events: readonly AnswerEvent[]): ChatCompletion {
  const answer = collectAnswer(events)
  return {
    ...summaryOf(state),
    object: 'chat.completion',
    created: Math.floor(Date.parse(state.facts.startedAt) / 1000),
    model: answer.model || (state.served?.model ?? ''),
    system_fingerprint: answer.fingerprint,
    choices: answer.choices.map(({ index, text, refusal, reasoning, toolCalls, finish }) => ({
      index,
      message: {
        role: 'assistant',
        content: text,
        refusal,
        ...(reasoning === null ? {} : { reasoning_content: reasoning }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toolCallBody) }),
      },
      finish_reason: finish,
    })),
  }
}

function toolCallBody({
  id,
  name,
  arguments: text,
}: {
  readonly id: string
  readonly name: string
  readonly arguments: string
}) {
  return { id, type: 'function' as const, function: { name, arguments: text } }
}

function headersOf(state: CallState, wantsTimings: boolean): Record<string, string> {
  const timed = wantsTimings || state.policy.effective.reporting.server_timing
  return {
    ...(offlineOf(state) ? { 'x-gateway-offline': 'true' } : {}),
    ...(timed ? { 'server-timing': state.steps.map(({ name, ms }) => `${name};dur=${ms}`).join(', ') } : {}),
  }
}
