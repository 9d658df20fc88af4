/**
 * Stores the answer of a call that may be served again. Nothing incomplete, blocked, doubtful or uninspected is shared,
 * and an answer whose content must not be kept according to the policy or the caller is not stored. Tested in
 * keep.test.ts.
 */

import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import { ownTime, rounded, upstreamTime } from '../attempts/upstream-time.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithTimings } from '../call/timings.ts'
import type { Writes } from '../call/writes.ts'
import type { Found, WithFindings } from '../findings/call-findings.ts'
import { remarksOf } from '../findings/remarks.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { AnswerCache } from './kept/answer-cache.ts'
import type { Fill, WithCache } from './kept/call-cache.ts'
import type { CachedAnswer } from './kept/entry.ts'
import type { Kept } from './kept/store.ts'
import { defaultSettings } from './question/rules.ts'

type KeptCall = WithFacts &
  WithPlan &
  WithFindings &
  WithCache &
  WithAttempts &
  WithAnswer &
  WithTimings &
  WithProgress &
  Writes<WithCache>

interface KeepingParts {
  readonly cache: AnswerCache
  readonly kernel: Kernel
}

/** Once the outcome is stored: passes the answer to waiting calls, then stores it for later ones. */
export function keepAnswer({ cache, kernel }: KeepingParts, state: KeptCall): void {
  const {
    cached: { fill },
    attempts: { served },
  } = state
  if (fill === null || served === null || state.progress.status !== 'completed' || !mayBeShared(state)) return
  // From here on this function ends the flight, not the end of the call.
  state.write({ cached: { fill: null } })
  const answer: CachedAnswer = {
    provider: served.provider.name,
    model: served.model,
    storedAtMs: kernel.clock.now(),
    upstreamMs: rounded(upstreamTime(state, { nowMs: kernel.clock.monotonic(), ownMs: ownTime(state.progress.steps) })),
    events: [...state.answer.inspected],
    remarks: remarksOf(state),
  }
  fill.flight?.land(answer)
  const ttlMs = Math.min(fill.rules.ttlMs, keptDays(state) * dayMs)
  // Until the answer can be found in the store, it is available from the flight.
  const storing =
    ttlMs <= 0 ? Promise.resolve() : cache.store.keep(keptOf(state, { fill, answer, id: kernel.random.uuid(), ttlMs }))
  kernel.background(
    'keep an answer',
    storing.finally(() => fill.flight?.close()),
  )
}

const dayMs = 86_400_000

/** Steps whose remarks do not prevent sharing an answer: values that were hidden or let through, fields left out. */
const harmlessSteps: ReadonlySet<string> = new Set(['sensitive_data', 'upstream_call'])

function mayBeShared({
  answer: { inspected },
  findings: { found, failOpen, monitored },
  plan: { policy },
}: WithPlan & WithFindings & WithAnswer): boolean {
  const ends = inspected.filter((event) => event.type === 'finish')
  const whole = ends.length > 0 && ends.every(({ reason }) => reason === 'stop' || reason === 'tool_calls')
  const { entities } = policy.effective.sensitive_data
  // Finds that the policy explicitly lets through in every place do not prevent sharing.
  const isLet = ({ rule, action }: Found): boolean => action === 'flag' && entities[rule]?.action === 'flag'
  const doubted = [...found.values()].some(
    (one) => one.action === 'would_block' || !(harmlessSteps.has(one.step) || isLet(one)),
  )
  return whole && !doubted && failOpen.length === 0 && monitored === null
}

/** Days for which content of the call may be stored. */
function keptDays({ plan: { policy }, facts }: WithFacts & WithPlan): number {
  const { level, payload_ttl_days: days } = policy.effective.retention
  return level === 'metadata' || facts.asked.retention === 'metadata' ? 0 : days
}

interface Keeping {
  readonly fill: Fill
  readonly answer: CachedAnswer
  readonly id: string
  readonly ttlMs: number
}

function keptOf(
  { facts, plan: { route, policy, snapshot } }: WithFacts & WithPlan,
  { fill, answer, id, ttlMs }: Keeping,
): Kept {
  return {
    facts: {
      id,
      tenant_id: facts.tenantId,
      call_id: facts.id,
      request_id: facts.requestId,
      user_id: facts.actor.userId,
      key_id: facts.actor.keyId,
      route: route?.name ?? null,
      policies: policy.sources.map((source) => `${source.id}@${source.version}`),
      key: fill.key,
      expires_at: new Date(answer.storedAtMs + ttlMs).toISOString(),
    },
    answer,
    near: fill.near,
    askedAtMs: Date.parse(facts.startedAt),
    maxBytes: (snapshot.cache ?? defaultSettings).max_bytes,
  }
}
