import type { Vault } from '@parapet/detect'
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { Aborter } from '../../../kernel/base/abort.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { RunningQuestion } from '../admission/running-calls.ts'
import type { Fill } from '../cache/lookup.ts'
import type { CacheStatus } from '../cache/status.ts'
import type { Asked } from '../call/asked.ts'
import type { AnswerEvent, CanonicalCall, Usage } from '../call/call.ts'
import type { Violation } from '../call/chat-schema.ts'
import { type AnswerShape, singleTexts } from '../call/event-filter.ts'
import type { LookedAt } from '../detection/analyses.ts'
import type { Hold } from '../money/hold.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import type { PriceBook } from '../prices/price-book.ts'
import type { Target } from '../providers/provider.ts'
import type { Route } from '../routing/route.ts'
import type { Explanation } from '../schemas/explanation.ts'
import type { LeftOut } from '../schemas/left-out.ts'
import type { MaxTokens } from '../schemas/max-tokens.ts'
import type { Opinion } from '../schemas/opinion.ts'
import type { Attempt, RequestStatus, StepRecord } from '../schemas/request.ts'
import type { AttemptTrace } from '../telemetry/attempt-trace.ts'
import type { Found } from './findings.ts'
import type { Remark, Remarks } from './remarks.ts'

/** What is known before the first step. */
export interface CallFacts {
  readonly id: string
  readonly requestId: string
  readonly traceparent: string
  readonly ip: string
  readonly userAgent: string | null
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly asked: Asked
  readonly startedAt: string
  /** Of the monotonic clock. */
  readonly startedMs: number
}

/** An answer on its way through the last steps: complete, or still coming. */
export type AnswerFlow =
  | { readonly kind: 'whole'; readonly events: readonly AnswerEvent[] }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<AnswerEvent> }

/**
 * One call on its way through the steps. The steps write to it and nothing else does; it lives as long as its call. What
 * a step needs from an earlier one is found here, which is why the order of the steps is fixed.
 */
export interface CallState {
  readonly facts: CallFacts
  /** Ends the call wherever it waits; its reason is the problem the caller gets. */
  readonly abort: Aborter
  /** Undone when the call is over, in reverse order. */
  readonly cleanups: (() => void)[]
  readonly steps: StepRecord[]
  /** The last step that ended or was given up. What one that was given up still waits for must change nothing. */
  settled: number
  /** When each of them ended, of the monotonic clock. */
  readonly stepEnds: number[]
  /** Of what was found, the rows that are shown. Who decides something asks `found`. */
  readonly violations: Violation[]
  /** All that was found, by its kind. */
  readonly found: Map<string, Found>
  /** Steps that failed and were passed because the policy says so. */
  readonly failOpen: string[]
  readonly attempts: Attempt[]
  /** Questions to targets that are under way. */
  readonly questions: Set<RunningQuestion>
  /** The same attempts from their first moment, for telemetry and for who is to be paid. */
  readonly asks: AttemptTrace[]
  readonly patterns: Set<string>
  readonly entities: Map<string, number>
  /** Made anew in step 3 where the policy wants other brackets. */
  vault: Vault
  /** Call as it goes to the provider; changed by redaction only. */
  call: CanonicalCall
  /** Call as it may be kept; null until step 7 has looked at it. */
  keepable: CanonicalCall | null
  /** For the detectors: the texts as the caller sent them; null until step 5. */
  lookedAt: LookedAt | null
  snapshot: TenantSnapshot
  targets: readonly Target[]
  /** The route the call names as its model. */
  route: Route | null
  policy: CompiledPolicy
  /** What the models of the tenant cost; null until step 4. */
  prices: PriceBook | null
  /** What is set aside for the call; its outcome settles it. */
  holds: readonly Hold[]
  /** Tokens of a question for whose vector the cache may ask: what is set aside for it, and without end where nobody asks for that. */
  vectorTokens: number
  injectionScore: number
  /** Of outside classifiers. */
  readonly opinions: Opinion[]
  /** Why texts were flagged or blocked; for the log only. */
  explanation: Explanation | null
  piiDetected: boolean
  /** Types of what is still in the call after its redaction; looked for where its class matters. */
  left: ReadonlySet<string>
  redacted: boolean
  /** The first block a policy that only watches let through. */
  monitored: { readonly n: number; readonly name: string; readonly code: string } | null
  /** The answer could not be inspected, and its policy lets nothing pass unseen. */
  withheldUnseen: boolean
  /** Where the text stood that led to a block. */
  blockedAt: string | null
  blockedStep: { readonly n: number; readonly name: string } | null
  error: ProblemError | null
  cache: CacheStatus
  /** Set by the cache step when the answer of this call may be kept. */
  fill: Fill | null
  /** What was found in the answer, each kind in each place once. */
  readonly remarks: Map<string, Remark>
  /** Texts of the answer that have not come to their end: each tells what was seen in what has left of it. */
  readonly untold: Set<() => void>
  /** What was said of an answer out of the cache when it came. */
  told: Remarks | null
  /** Milliseconds the model took for an answer out of the cache. */
  savedMs: number | null
  /** What made a vector of the question for the cache, and will be paid for. */
  embedded: { readonly target: Target; readonly usage: Usage } | null
  /** Whether other calls wait for the answer of this one; null where none can. */
  awaited: (() => boolean) | null
  served: Target | null
  /** Placeholders that were restored though the model had written them in another form. */
  restoredChanged: number
  /** Who let the answer have fewer tokens than were asked for, in the order in which they did. */
  readonly lowered: MaxTokens[]
  /** Targets that could not be asked. */
  readonly leftOut: LeftOut[]
  /** Pointers of what was asked and left out for the target that was asked last, because it does not take it. */
  dropped: readonly string[]
  answer: AnswerFlow | null
  /** The answer as inspected and not yet restored, as far as it came. */
  readonly inspected: AnswerEvent[]
  usage: Usage | null
  /** The model its provider says gave the answer; null where it says nothing. */
  answeredModel: string | null
  /** Of the texts of the answer, as they came. */
  receivedBytes: number
  upstreamMs: number
  /** Of it: waited without anybody being asked. */
  queueMs: number
  ttftMs: number | null
  /** A first part of the answer has left. */
  released: boolean
  promptSha256: string | null
  /** Stores the intent, unless that was begun before; resolves when it is stored. Null for a call without one. */
  intent: (() => Promise<void>) | null
  status: RequestStatus
}

/** How the answer of the call is written for its caller. */
export function shapeOf({ answer, facts, call }: CallState): AnswerShape {
  return {
    streams: answer?.kind === 'stream',
    blocks: facts.asked.dialect === 'anthropic',
    json: call.format !== null && call.format.type !== 'text',
    single: singleTexts(answer?.kind === 'whole' ? answer.events : []),
  }
}

export type { StepRecord }
