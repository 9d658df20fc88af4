/**
 * Looks for an answer that may be given again: to an equal call, to one under way, to a question like it. Promises that
 * what is found goes to this call only with a target it could have asked itself, and that those who wait are never left
 * waiting. Tested in cache.test.ts and semantic.test.ts.
 */
import { noteReceived } from '../call/received.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { isGivenUp } from '../pipeline/in-time.ts'
import type { PipelineParts } from '../pipeline/parts.ts'
import { stopProblem } from '../routing/question.ts'
import { vectorOf } from './embed.ts'
import type { CachedAnswer, Near } from './entry.ts'
import type { Flight } from './flights.ts'
import { keyOf, likenessOf } from './partition.ts'
import type { CacheRules } from './rules.ts'
import type { CacheStatus } from './status.ts'
import type { Place } from './store.ts'

/** What a miss has found out on its way: where its answer is kept. */
export interface Fill {
  readonly key: string
  readonly near: Near | null
  readonly rules: CacheRules
  /** Where others wait for the answer; null where the call is not the one they wait for. */
  readonly flight: Flight<CachedAnswer> | null
}

type Found = { readonly status: CacheStatus; readonly answer: CachedAnswer } | null

/** Gives the call its answer, or what it takes to keep the one it will get. */
export async function lookUp(parts: PipelineParts, state: CallState, rules: CacheRules): Promise<void> {
  const key = keyOf(state, rules)
  const { flights } = parts.cache
  const other = flights.find(key)
  const own = other === null ? flights.takeOff(key) : null
  if (own !== null) {
    // Whatever becomes of the call, those who wait for it must not wait for ever.
    state.cleanups.push(() => {
      if (state.fill?.flight !== own) return
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
    // The call went on without it: what was found is for those who still wait.
    if (isGivenUp(state, 9)) return end(own, use?.answer ?? null)
    if (use === null) return begin(state, { key, near, rules, flight: own })
    serve(state, use)
    end(own, use.answer)
  } catch (error) {
    // This call goes on without the cache, so nobody may wait for what it gets.
    end(own, null)
    throw error
  }
}

function end(flight: Flight<CachedAnswer> | null, answer: CachedAnswer | null): void {
  flight?.land(answer)
  flight?.close()
}

function begin(state: CallState, fill: Fill): void {
  state.cache = 'miss'
  state.fill = fill
  const { flight } = fill
  state.awaited = flight === null ? null : () => flight.waiting() > 0
}

const placeOf = ({ facts }: CallState, { maxAgeMs }: CacheRules): Place => ({ tenantId: facts.tenantId, maxAgeMs })

interface Equal {
  readonly key: string
  readonly rules: CacheRules
  readonly other: Flight<CachedAnswer> | null
}

/** A call under way has missed already, so its answer is waited for and the store is not asked again. */
async function equal(parts: PipelineParts, state: CallState, { key, rules, other }: Equal): Promise<Found> {
  const { clock } = parts.kernel
  if (other === null)
    return usable(parts, state, { status: 'hit', answer: await parts.cache.store.byKey(placeOf(state, rules), key) })
  const startedMs = clock.monotonic()
  const status = other.arrived() ? 'hit' : 'joined'
  try {
    const answer = await other.join(state.abort)
    const isPurged = answer !== null && parts.cache.store.isPurged(state.facts.tenantId, answer.storedAtMs)
    return usable(parts, state, { status, answer: isPurged ? null : answer })
  } finally {
    // It is the model that is waited for.
    const waitedMs = isGivenUp(state, 9) ? 0 : clock.monotonic() - startedMs
    state.upstreamMs += waitedMs
    state.queueMs += waitedMs
  }
}

async function nearOf(parts: PipelineParts, state: CallState, rules: CacheRules): Promise<Near | null> {
  if (rules.mode !== 'semantic' || rules.embeddingModel === null) return null
  const likeness = likenessOf(state, rules)
  if (likeness === null) return null
  const vector = await vectorOf(parts, state, { model: rules.embeddingModel, text: likeness.text })
  return vector === null ? null : { context: likeness.context, vector }
}

async function alike(
  parts: PipelineParts,
  state: CallState,
  { near, rules }: { readonly near: Near; readonly rules: CacheRules },
): Promise<Found> {
  const answer = await parts.cache.store.byLikeness(placeOf(state, rules), near, rules.threshold)
  return usable(parts, state, { status: 'semantic', answer })
}

interface Candidate {
  readonly status: CacheStatus
  readonly answer: CachedAnswer | null
}

/** A switch that came after step 2 stops the call only where it covers all of its targets. */
function usable(parts: PipelineParts, state: CallState, { status, answer }: Candidate): Found {
  const target = answer === null ? undefined : targetOf(state, answer)
  if (answer === null || target === undefined || stopProblem(parts, state, target) !== null) return null
  return { status, answer }
}

function targetOf({ targets }: CallState, answer: CachedAnswer) {
  return targets.find(({ provider, model }) => provider.name === answer.provider && model === answer.model)
}

function serve(state: CallState, { status, answer }: NonNullable<Found>): void {
  state.cache = status
  state.served = targetOf(state, answer) ?? null
  state.answer = { kind: 'whole', events: answer.events }
  state.savedMs = answer.upstreamMs
  state.told = answer.remarks
  // It was inspected when it came; the log shows what was given out, and the cost what it would have been.
  state.inspected.push(...answer.events)
  for (const event of answer.events) noteReceived(state, event)
}
