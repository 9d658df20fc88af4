/**
 * The tenant's quota of tokens per UTC day. Nothing is written for it: the used amount is the larger of the hourly
 * counts, which cover every process and lag a moment, and the count of this process, which does not lag. Neither ever
 * exceeds the actual use, so no call is refused too early; the quota can be exceeded by running calls, and by answers
 * of other processes in the last seconds. Tested in token-quota.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { errors } from '../declared/errors.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { isGivenUp } from '../pipeline/progress/in-time.ts'
import { allow, block, type StepOutcome } from '../pipeline/progress/outcome.ts'
import type { CallPlan, WithPlan } from '../plan/call-plan.ts'
import { isOffline } from '../providers/provider.ts'
import { countInput } from '../tokens/bounds.ts'
import type { TokenCounts } from '../tokens/exact-counts.ts'
import { mostTokens } from './limits.ts'
import { usageOf } from './usage.ts'

export interface TokenQuota {
  /** Refuses a call whose input exceeds the quota; reserves the input of any other until it ends. */
  enter(
    state: WithFacts & WithLife & WithPlan & WithProgress,
    perDay: number,
    counts: TokenCounts,
  ): Promise<StepOutcome>
  /** Counts the actual usage of a call that entered. */
  count(state: WithFacts & WithPlan & WithAttempts & WithAnswer): void
  /** Tokens since midnight, of every process. */
  used(tenantId: TenantId): Promise<number>
}

interface Day {
  readonly beginsMs: number
  /** The first value read from the hourly counts, plus the tokens answered here since then. */
  own: number
  counted: number
  readAtMs: number
}

const dayMs = 86_400_000
/** Age after which the hourly counts are read again, in milliseconds. */
const longestAgeMs = 2000

const beginningOf = (at: number): number => Math.floor(at / dayMs) * dayMs

export function createTokenQuota({ clock, db }: Pick<Kernel, 'clock' | 'db'>): TokenQuota {
  const days = new Map<TenantId, Day>()
  const reading = new Map<TenantId, Promise<Day>>()
  const underWay = new Map<TenantId, number>()
  const entered = new WeakSet<CallPlan>()

  const today = async (tenantId: TenantId): Promise<Day> => {
    const now = clock.now()
    const known = days.get(tenantId)
    if (known !== undefined && known.beginsMs === beginningOf(now) && now - known.readAtMs < longestAgeMs) return known
    const begun = reading.get(tenantId) ?? read(tenantId, now).finally(() => reading.delete(tenantId))
    reading.set(tenantId, begun)
    return begun
  }
  const read = async (tenantId: TenantId, now: number): Promise<Day> => {
    const beginsMs = beginningOf(now)
    const counted = await countedSince(db, tenantId, beginsMs)
    const known = days.get(tenantId)
    const own = known?.beginsMs === beginsMs ? known.own : counted
    const day = { beginsMs, own, counted, readAtMs: now }
    days.set(tenantId, day)
    return day
  }
  const hold = (tenantId: TenantId, tokens: number): void => {
    const left = (underWay.get(tenantId) ?? 0) + tokens
    if (left === 0) underWay.delete(tenantId)
    else underWay.set(tenantId, left)
  }

  return {
    enter: async (state, perDay, counts) => {
      const { tenantId } = state.facts
      if (state.plan.targets.every(({ provider }) => isOffline(provider))) return allow
      const { own, counted, beginsMs } = await today(tenantId)
      // The answer is no longer needed, and a call that is over would not release its reservation.
      if (isGivenUp(state, 4)) return allow
      const fits = (tokens: number): boolean =>
        Math.max(own, counted) + (underWay.get(tenantId) ?? 0) + tokens <= perDay
      const { about } = countInput(state.plan.call)
      const tokens = fits(about) ? about : mostTokens(state, await counts.of(state), about)
      if (!fits(tokens)) return block(refusal(perDay, beginsMs + dayMs - clock.now()))
      // The same, if that happened during the count.
      if (isGivenUp(state, 4)) return allow
      entered.add(state.plan)
      hold(tenantId, tokens)
      state.life.cleanups.push(() => hold(tenantId, -tokens))
      return allow
    },
    count: (state) => {
      if (!entered.has(state.plan) || state.attempts.served === null || isOffline(state.attempts.served.provider))
        return
      const day = days.get(state.facts.tenantId)
      if (day?.beginsMs === beginningOf(clock.now())) day.own += usageOf(state)?.total_tokens ?? 0
    },
    used: async (tenantId) => {
      const counted = await countedSince(db, tenantId, beginningOf(clock.now()))
      const day = days.get(tenantId)
      return day?.beginsMs === beginningOf(clock.now()) ? Math.max(day.own, counted) : counted
    },
  }
}

/** Index: the primary key; at most 24 hours of rows. */
async function countedSince(db: Pick<Kernel['db'], 'read'>, tenantId: TenantId, sinceMs: number): Promise<number> {
  const [row] = await db.read(
    tenantId,
    sql<{ tokens: number }>`
      select coalesce(sum(input_tokens + output_tokens), 0)::bigint as tokens
      from gateway_usage_hour
      where hour >= ${new Date(sinceMs).toISOString()} and not offline`,
  )
  return row?.tokens ?? 0
}

function refusal(perDay: number, leftMs: number) {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  const what = `The tenant's quota of ${perDay} tokens a day has no room for this call.`
  return errors.limitExceeded({ what, seconds }).withHeaders({ 'retry-after': String(seconds) })
}
