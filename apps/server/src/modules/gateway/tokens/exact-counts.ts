/**
 * Tokens of a call as the tokenizers of its models count them. Asked only where an estimate would refuse the call, so
 * that calls which the estimate lets pass pay nothing; counted in a thread, so that the event loop goes on. A count
 * that is impossible for lack of a public tokenizer, a thread or time is null, and the estimate stands. Tested in
 * exact-counts.test.ts and count-task.test.ts.
 */

import { inPlace } from '../../../kernel/threads/thread-task.ts'
import type { Threads } from '../../../kernel/threads/threads.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { CallPlan, WithPlan } from '../plan/call-plan.ts'
import type { Target } from '../providers/provider.ts'
import type { Encoding } from '../words/encodings.ts'
import { countBesides } from './bounds.ts'
import { countTokens } from './count-task.ts'
import { countableTexts } from './countable.ts'
import { encodingOfTarget } from './encodings.ts'

/** Tokens of the call for a target; null where they could not be counted. */
export type ExactCounts = (target: Target) => number | null

export interface TokenCounts {
  /** Null when there is nothing to count with. */
  of(state: WithLife & WithPlan): Counting
}

export type Counting = ExactCounts | Promise<ExactCounts | null> | null

/**
 * Characters up to which a call is counted: a second in a thread at worst, as long as the detectors take for it. Longer
 * calls use the bound.
 */
const mostCharacters = 2_097_152
/** Milliseconds, with the start of a first thread. Shorter than the step that waits for it has. */
const limitMs = 4000

/** Milliseconds a step may take that waits for a count. */
export const longestCountMs = 5000
/** OpenAI puts this much around all tools together, at most. */
const tokensAroundTools = 16

interface Counted {
  readonly turns: CanonicalCall['turns']
  readonly embed: CanonicalCall['embed']
  readonly byEncoding: Map<Encoding, Promise<number | null>>
}

export function createTokenCounts({ threads }: { readonly threads: Threads }): TokenCounts {
  const known = new WeakMap<CallPlan, Counted>()
  /** Counts of the call as it is now; steps that change its text replace its turns. */
  const countedOf = (state: WithPlan): Counted => {
    const { turns, embed } = state.plan.call
    const before = known.get(state.plan)
    if (before !== undefined && before.turns === turns && before.embed === embed) return before
    const counted = { turns, embed, byEncoding: new Map() }
    known.set(state.plan, counted)
    return counted
  }
  const countWith = (state: WithLife & WithPlan, encoding: Encoding): Promise<number | null> => {
    const { byEncoding } = countedOf(state)
    const counting = byEncoding.get(encoding) ?? count(threads, state, encoding)
    byEncoding.set(encoding, counting)
    return counting
  }
  return {
    of: (state) => {
      const wanted = encodingsOf(state)
      if (wanted.length === 0) return null
      const counting = wanted.map(async (one) => [one, await countWith(state, one)] as const)
      return Promise.all(counting).then(countsOf)
    },
  }
}

/** For work that is in a thread already. */
export const inPlaceCounts: TokenCounts = {
  of: (state) => {
    const wanted = encodingsOf(state)
    const texts = textsToCount(state.plan.call)
    if (wanted.length === 0 || texts === null) return null
    const count = (encoding: Encoding): number =>
      besides(state.plan.call) + countTokens.run({ encoding, texts }, inPlace)
    return countsOf(wanted.map((encoding) => [encoding, count(encoding)]))
  },
}

/** Goes on with a count, at once where it is there. */
export function withCounts<T>(counting: Counting, use: (exact: ExactCounts | null) => T): T | Promise<T> {
  return counting instanceof Promise ? counting.then(use) : use(counting)
}

function encodingsOf({ plan: { targets } }: WithPlan): readonly Encoding[] {
  return [...new Set(targets.flatMap((target) => encodingOfTarget(target) ?? []))]
}

function countsOf(counts: readonly (readonly [Encoding, number | null])[]): ExactCounts {
  const tokens = new Map(counts)
  return (target) => {
    const encoding = encodingOfTarget(target)
    return encoding === null ? null : (tokens.get(encoding) ?? null)
  }
}

function textsToCount(call: CanonicalCall): readonly string[] | null {
  const texts = countableTexts(call)
  return texts.reduce((sum, { length }) => sum + length, 0) > mostCharacters ? null : texts
}

function besides(call: CanonicalCall): number {
  return countBesides(call) + (call.tools.length === 0 ? 0 : tokensAroundTools)
}

async function count(
  threads: Threads,
  { plan: { call }, life: { abort } }: WithLife & WithPlan,
  encoding: Encoding,
): Promise<number | null> {
  const texts = textsToCount(call)
  if (texts === null) return null
  try {
    return besides(call) + (await threads.run(countTokens, { encoding, texts }, { limitMs, signal: abort }))
  } catch {
    // Without a count the estimate stands, and with it the refusal that asked for one.
    return null
  }
}
