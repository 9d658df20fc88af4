/**
 * The spans of a call that is over, in the names of the conventions: one for the call with an event per step, one for each
 * question to a provider. Made of closed words, counts and ids; content is content.ts and off. Tested in spans.test.ts.
 */

import type { Attributes, SpanEvent, SpanRecord } from '../../../kernel/observe/otel/port.ts'
import type { Trace } from '../../../kernel/observe/trace.ts'
import type { AttemptTrace } from '../attempts/call-attempts.ts'
import type { WithCache } from '../cache/kept/call-cache.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { UpstreamFault } from '../providers/fault.ts'
import type { Target } from '../providers/provider.ts'
import { stepsOf } from '../records/row.ts'
import { isFromCache } from '../words/cache-status.ts'
import { hostOf, names, operationName, providerName } from './conventions.ts'
import { endOf, targetOf } from './ended.ts'

export interface Ended {
  readonly state: CallParts
  readonly trace: Trace
  /** The span the call belongs to: the request's. */
  readonly parentSpanId: string
  /** Of the monotonic clock. */
  readonly nowMs: number
  /** Additional attributes that were switched on. */
  readonly content: Attributes
}

export function callSpans(ended: Ended): readonly SpanRecord[] {
  const { state, trace } = ended
  const asked = state.attempts.traces.map((attempt, at) => attemptSpan(ended, attempt, at))
  const target = targetOf(state)
  const operation = operationName(state.facts.asked.operation)
  const { error, failed } = endOf(state)
  return [
    {
      name: target === null ? operation : `${operation} ${target.model}`,
      kind: 'client',
      ...{ trace, failed, parentSpanId: ended.parentSpanId },
      startMs: unixOf(state, state.facts.startedMs),
      endMs: unixOf(state, ended.nowMs),
      attributes: {
        [names.operation]: operation,
        ...(target === null ? {} : targetFacts(target)),
        ...asking(state.plan.call),
        ...answerFacts(state),
        ...(error === null ? {} : { [names.errorType]: error }),
        ...ours(state),
        ...ended.content,
      },
      events: stepEvents(state),
    },
    ...asked.filter((span) => span !== null),
  ]
}

/** Unix milliseconds of a moment of the monotonic clock. */
function unixOf({ facts }: WithFacts, monotonicMs: number): number {
  return Date.parse(facts.startedAt) + monotonicMs - facts.startedMs
}

function targetFacts({ provider, model }: Target): Attributes {
  const host = hostOf(provider)
  return {
    [names.provider]: providerName(provider),
    [names.requestModel]: model,
    ...(host === null ? {} : { [names.serverAddress]: host.address, [names.serverPort]: host.port }),
  }
}

/** Parameters of the request, in numbers. Stop sequences and names of tools are words of the caller and stay out. */
function asking(call: CanonicalCall): Attributes {
  const { embed, format, choices } = call
  return present({
    [names.choices]: choices === 1 ? null : choices,
    [names.seed]: call.seed,
    [names.temperature]: call.temperature,
    [names.topP]: call.topP,
    [names.topK]: call.topK,
    [names.maxTokens]: call.maxTokens,
    [names.frequencyPenalty]: call.frequencyPenalty,
    [names.presencePenalty]: call.presencePenalty,
    [names.outputType]: format === null ? null : format.type === 'text' ? 'text' : 'json',
    [names.dimensions]: embed?.dimensions ?? null,
    [names.encodings]: embed?.encoding == null ? null : [embed.encoding],
  })
}

function answerFacts({ answer: { inspected, usage }, cached: { status: cache } }: WithCache & WithAnswer): Attributes {
  const start = inspected.find((event) => event.type === 'start')
  const reasons = inspected.flatMap((event) => (event.type === 'finish' ? [event.reason] : []))
  // Only usage that a provider counted for this call: an answer out of the cache cost nothing.
  const counted = usage?.source === 'upstream' && !isFromCache(cache) ? usage : null
  const written = counted === null ? 0 : counted.cacheWrite5mTokens + counted.cacheWrite1hTokens
  return present({
    [names.responseId]: start?.id?.slice(0, longestId) ?? null,
    [names.responseModel]: start?.model.slice(0, longestId) ?? null,
    [names.finishReasons]: reasons.length === 0 ? null : reasons,
    [names.inputTokens]: counted?.inputTokens ?? null,
    [names.outputTokens]: counted?.outputTokens ?? null,
    [names.cacheReadTokens]: counted?.cachedTokens || null,
    [names.cacheWriteTokens]: written || null,
  })
}

/** Ids are the provider's to choose. */
const longestId = 256

function ours({
  facts,
  cached: { status: cache },
  progress: { status },
  plan: { route },
}: WithFacts & WithPlan & WithCache & WithProgress): Attributes {
  return present({
    'parapet.request.id': facts.requestId,
    'parapet.gateway.call.id': facts.id,
    'parapet.tenant.id': facts.tenantId,
    'parapet.gateway.dialect': facts.asked.dialect,
    'parapet.gateway.stream': facts.asked.stream,
    'parapet.gateway.cache': cache,
    'parapet.gateway.status': status,
    'parapet.gateway.route.id': route?.id ?? null,
  })
}

function stepEvents(state: CallParts): readonly SpanEvent[] {
  return stepsOf(state).map(({ n, name, decision, ms, failed, findings }, at) => ({
    name: 'parapet.gateway.step',
    atMs: unixOf(state, state.timings.stepEnds[at] ?? state.facts.startedMs),
    attributes: {
      'parapet.gateway.step.number': n,
      'parapet.gateway.step.name': name,
      'parapet.gateway.step.decision': decision,
      'parapet.gateway.step.duration_ms': ms,
      'parapet.gateway.step.failed': failed,
      'parapet.gateway.step.findings': findings,
    },
  }))
}

/** An HTTP span, so that usage is not counted twice: it belongs to the span of the call. */
function attemptSpan({ state, trace, nowMs }: Ended, attempt: AttemptTrace, at: number): SpanRecord | null {
  const { span, target, end } = attempt
  if (span === null) return null
  const fault = end instanceof UpstreamFault ? end : null
  const isLocal = hostOf(target.provider) === null
  return {
    name: isLocal ? 'echo' : 'POST',
    kind: isLocal ? 'internal' : 'client',
    trace: span,
    parentSpanId: trace.spanId,
    startMs: unixOf(state, attempt.startedMs),
    endMs: unixOf(state, attempt.endedMs ?? nowMs),
    failed: fault !== null,
    attributes: present({
      ...targetFacts(target),
      [names.method]: isLocal ? null : 'POST',
      [names.statusCode]: fault?.status ?? null,
      [names.resendCount]: at === 0 ? null : at,
      [names.errorType]: fault?.kind ?? null,
      'parapet.gateway.attempt.end': typeof end === 'string' ? end : null,
    }),
  }
}

function present(attributes: Readonly<Record<string, Attributes[string] | null>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, Attributes[string]] => entry[1] !== null),
  )
}
