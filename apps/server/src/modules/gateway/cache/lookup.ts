/**
 * Looks for a reusable answer: of an equal call, of a running equal call, or of a similar question. A found answer is
 * used only with a target that this call could have asked itself, and waiting calls are always released. Tested in
 * cache.test.ts and semantic.test.ts.
 */

import type { WithLife } from '../admission/call-life.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { keepInspected, noteReceived } from '../call/received.ts'
import type { WithTimings } from '../call/timings.ts'
import type { Writes } from '../call/writes.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { WithMoney } from '../money/call-money.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { isGivenUp } from '../pipeline/progress/in-time.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { stopProblem } from '../routing/question.ts'
import type { CacheStatus } from '../words/cache-status.ts'
import { type VectorParts, vectorOf } from './embed.ts'
import type { AnswerCache } from './kept/answer-cache.ts'
import type { Fill, WithCache } from './kept/call-cache.ts'
import type { CachedAnswer, Near } from './kept/entry.ts'
import type { Flight } from './kept/flights.ts'
import type { Place } from './kept/store.ts'
import { keyOf, likenessOf } from './question/partition.ts'
import type { CacheRules } from './question/rules.ts'

type AskingCall = WithFacts &
  WithLife &
  WithPlan &
  WithMoney &
  WithFindings &
  WithCache &
  WithAttempts &
  WithAnswer &
  WithTimings &
  WithProgress &
  Writes<WithMoney & WithCache & WithAttempts & WithAnswer & WithTimings>

interface LookupParts extends VectorParts {
  readonly cache: AnswerCache
}

type Found = { readonly status: CacheStatus; readonly answer: CachedAnswer } | null

/** Serves the call from the cache, or prepares storing the answer it will get. */
export async function lookUp(parts: LookupParts, state: AskingCall, rules: CacheRules): Promise<void> {
  const key = keyOf(state, rules)
  const { flights } = parts.cache
  const other = flights.find(key)
  const own = other === null ? flights.takeOff(key) : null
  if (own !== null) {
    // However the call ends, the calls that wait for it must not wait forever.
    state.life.cleanups.push(() => {
      if (state.cached.fill?.flight !== own) return
      own.land(null)
      own.close()
    })
  }
  try {
    const refreshes = state.facts.asked.cache?.mode === 'refresh'
    const found = refreshes ? null : await equal(parts, state, { key, rules, other })
    const near = found === null ? await nearOf(parts, state, rules) : null
    const like = near === null || refreshes ? null : await alike(parts, state, { near, rules })
    const use = found ?? like
    // The call went on without the cache: a found answer is for the calls that still wait.
    if (isGivenUp(state, 9)) return end(own, use?.answer ?? null)
    if (use === null) return begin(state, { key, near, rules, flight: own })
    serve(state, use)
    end(own, use.answer)
  } catch (error) {
    // This call goes on without the cache, so no other call may wait for its answer.
    end(own, null)
    throw error
  }
}

function end(flight: Flight<CachedAnswer> | null, answer: CachedAnswer | null): void {
  flight?.land(answer)
  flight?.close()
}

function begin(state: Writes<WithCache>, fill: Fill): void {
  const { flight } = fill
  const awaited = flight === null ? null : () => flight.waiting() > 0
  state.write({ cached: { status: 'miss', fill, awaited } })
}

const placeOf = ({ facts }: WithFacts, { maxAgeMs }: CacheRules): Place => ({ tenantId: facts.tenantId, maxAgeMs })

interface Equal {
  readonly key: string
  readonly rules: CacheRules
  readonly other: Flight<CachedAnswer> | null
}

/**
 * A running equal call has already missed the cache, so this call waits for its answer without querying the store
 * again.
 */
async function equal(
  parts: LookupParts,
  state: WithFacts & WithLife & WithPlan & WithTimings & WithProgress & Writes<WithTimings>,
  { key, rules, other }: Equal,
): Promise<Found> {
  const { clock } = parts.kernel
  if (other === null)
    return usable(parts, state, { status: 'hit', answer: await parts.cache.store.byKey(placeOf(state, rules), key) })
  const startedMs = clock.monotonic()
  const status = other.arrived() ? 'hit' : 'joined'
  try {
    const answer = await other.join(state.life.abort)
    const isPurged = answer !== null && parts.cache.store.isPurged(state.facts.tenantId, answer.storedAtMs)
    return usable(parts, state, { status, answer: isPurged ? null : answer })
  } finally {
    // The wait is for the model of the other call.
    const waitedMs = isGivenUp(state, 9) ? 0 : clock.monotonic() - startedMs
    const { upstreamMs, queueMs } = state.timings
    state.write({ timings: { upstreamMs: upstreamMs + waitedMs, queueMs: queueMs + waitedMs } })
  }
}

async function nearOf(
  parts: LookupParts,
  state: WithFacts &
    WithLife &
    WithPlan &
    WithMoney &
    WithFindings &
    WithAttempts &
    WithTimings &
    WithProgress &
    Writes<WithMoney & WithTimings>,
  rules: CacheRules,
): Promise<Near | null> {
  if (rules.mode !== 'semantic' || rules.embeddingModel === null) return null
  const likeness = likenessOf(state, rules)
  if (likeness === null) return null
  const vector = await vectorOf(parts, state, { model: rules.embeddingModel, text: likeness.text })
  return vector === null ? null : { context: likeness.context, vector }
}

async function alike(
  parts: LookupParts,
  state: WithFacts & WithPlan,
  { near, rules }: { readonly near: Near; readonly rules: CacheRules },
): Promise<Found> {
  const answer = await parts.cache.store.byLikeness(placeOf(state, rules), near, rules.threshold)
  return usable(parts, state, { status: 'semantic', answer })
}

interface Candidate {
  readonly status: CacheStatus
  readonly answer: CachedAnswer | null
}

/** A switch activated after step 2 stops the call only if it covers all of its targets. */
function usable(parts: LookupParts, state: WithFacts & WithPlan, { status, answer }: Candidate): Found {
  const target = answer === null ? undefined : targetOf(state, answer)
  if (answer === null || target === undefined || stopProblem(parts, state, target) !== null) return null
  return { status, answer }
}

function targetOf({ plan: { targets } }: WithPlan, answer: CachedAnswer) {
  return targets.find(({ provider, model }) => provider.name === answer.provider && model === answer.model)
}

function serve(
  state: WithPlan & WithAnswer & Writes<WithCache & WithAttempts & WithAnswer>,
  { status, answer }: NonNullable<Found>,
): void {
  state.write({
    cached: { status, savedMs: answer.upstreamMs, told: answer.remarks },
    attempts: { served: targetOf(state, answer) ?? null },
    answer: { flow: { kind: 'whole', events: answer.events } },
  })
  // It was inspected on arrival; the log shows the served answer and the cost it would have had.
  keepInspected(state, answer.events)
  for (const event of answer.events) noteReceived(state, event)
}
