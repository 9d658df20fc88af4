/**
 * The money part of step 4: finds the budgets that cover a call, reserves its maximum cost in all of them or in none,
 * and reports a refusal. Budgets apply in every mode of the policy. Tested in charging.test.ts.
 */

import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { Budget, Caller } from '../budgets/budget.ts'
import type { ClaimRow } from '../budgets/ledger.ts'
import { isoOf, standingOf } from '../budgets/standing.ts'
import { type VectorPlan, vectorPlan } from '../cache/question/vector-plan.ts'
import type { WithFacts } from '../call/facts.ts'
import type { Writes } from '../call/writes.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { note } from '../findings/findings.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { inTime, isGivenUp } from '../pipeline/progress/in-time.ts'
import { allow, block, type StepOutcome } from '../pipeline/progress/outcome.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { callDeadlineMs } from '../plan/deadline.ts'
import { isOffline } from '../providers/provider.ts'
import type { ExactCounts, TokenCounts } from '../tokens/exact-counts.ts'
import type { WithMoney } from './call-money.ts'
import { isCovered, priceIn, worstOf } from './claims.ts'
import { callerOf, claimOf, type Hold } from './hold.ts'
import type { TenantMoney } from './load.ts'
import type { Money } from './money.ts'
import { budgetRefusal, lastingRefusal, type Refusing } from './refusal.ts'
import { releaseHolds } from './settle.ts'

type ChargedCall = WithFacts & WithLife & WithPlan & WithMoney & WithFindings & WithProgress & Writes<WithMoney>

interface ChargeParts {
  readonly kernel: Kernel
  readonly money: Money
  readonly tokenCounts: TokenCounts
}

export function chargeBudgets(
  parts: ChargeParts,
  state: WithFacts & WithLife & WithPlan & WithMoney & WithFindings & WithProgress & Writes<WithPlan & WithMoney>,
  { budgets, prices }: TenantMoney,
): StepOutcome | Promise<StepOutcome> {
  state.write({ money: { prices } })
  const rules = state.plan.policy.effective.budget
  const isAsked = budgets.length > 0 || rules.require
  // The cache's requests are known to be free, or no budget applies.
  if (!isAsked || state.plan.targets.every(({ provider }) => isOffline(provider))) {
    state.write({ money: { vectorTokens: Number.POSITIVE_INFINITY } })
    return allow
  }
  const caller = callerOf(state)
  const covered = budgets.filter((budget) => state.plan.targets.some((target) => isCovered(budget, caller, target)))
  if (rules.require && covered.length === 0) return block(lastingRefusal('No budget covers this call.'))
  const refused = leavePriced(state, { covered, caller, all: asksForPrices(state) })
  if (refused !== null) return refused
  return reserve(parts, state, { budgets, caller })
}

/** The policy requires a price regardless of the budgets. */
const asksForPrices = ({
  plan: {
    policy: { effective },
  },
}: WithPlan): boolean => effective.budget.require && effective.budget.on_unpriced === 'block'

/** Vector request of the cache, if the budgets allow it; a call continues without a vector that they would refuse. */
function payableVector(state: WithFacts & WithPlan & WithMoney, { budgets, caller }: Paying): VectorPlan | null {
  const plan = vectorPlan(state)
  if (plan === null) return null
  const covering = budgets.filter((budget) => isCovered(budget, caller, plan.target))
  if (state.plan.policy.effective.budget.require && covering.length === 0 && !isOffline(plan.target.provider))
    return null
  const strict = covering.filter(({ onUnpriced }) => asksForPrices(state) || onUnpriced === 'block')
  return strict.every(({ currency }) => priceIn(state, plan.target, currency) !== null) ? plan : null
}

interface Unpriced {
  readonly covered: readonly Budget[]
  readonly caller: Caller
  /** The policy requires a price regardless of the budgets. */
  readonly all: boolean
}

/** Removes targets without a price if a budget or the policy requires one; a call with no target left is refused. */
function leavePriced(
  state: WithFacts & WithPlan & WithMoney & Writes<WithPlan>,
  { covered, caller, all }: Unpriced,
): StepOutcome | null {
  const strict = covered.filter(({ onUnpriced }) => all || onUnpriced === 'block')
  const left = state.plan.targets.filter((target) =>
    strict.every((budget) => !isCovered(budget, caller, target) || priceIn(state, target, budget.currency) !== null),
  )
  const [first] = strict
  if (left.length > 0 || first === undefined) {
    state.write({ plan: { targets: left.length > 0 ? left : state.plan.targets } })
    return null
  }
  const [target] = state.plan.targets
  const model = target === undefined ? '' : `${target.provider.name}/${target.model}`
  const what = `The model ${model} has no price in ${first.currency}, which the budget ${first.name} asks for.`
  return block(lastingRefusal(what))
}

/** A hold without an outcome is swept this long after the deadline of the call, and thus after the call itself. */
const graceMs = 120_000

interface Paying {
  readonly budgets: readonly Budget[]
  readonly caller: Caller
}

interface Counting {
  readonly exact: ExactCounts | null
  readonly vector: VectorPlan | null
}

function claimsOf(
  { kernel }: ChargeParts,
  state: WithFacts & WithPlan & WithMoney,
  claiming: Paying & Counting,
): readonly Hold[] {
  return claiming.budgets.flatMap((budget): readonly Hold[] => {
    const amount = worstOf(state, { ...claiming, budget })
    if (amount === null) return []
    const bucket = isoOf(budget.window(kernel.clock.now()).bucket)
    return [{ id: kernel.random.uuid(), budget, bucket, amount }]
  })
}

/** First by the upper bound; if that does not fit, by the exact token counts and without the cache's vector. */
function reserve(parts: ChargeParts, state: ChargedCall, paying: Paying): StepOutcome | Promise<StepOutcome> {
  const vector = payableVector(state, paying)
  const bound = claimsOf(parts, state, { ...paying, exact: null, vector })
  if (bound.length > 0) return reserveAll(parts, state, { ...paying, vector, bound })
  state.write({ money: { vectorTokens: vector?.tokensAtMost ?? 0 } })
  return allow
}

interface Reserving extends Paying {
  readonly vector: VectorPlan | null
  readonly bound: readonly Hold[]
}

async function reserveAll(
  parts: ChargeParts,
  state: ChargedCall,
  { bound, vector, ...paying }: Reserving,
): Promise<StepOutcome> {
  const byBound = await take(parts, state, bound)
  if (byBound.refusing === null) {
    if (!isGivenUp(state, 4)) state.write({ money: { vectorTokens: vector?.tokensAtMost ?? 0 } })
    return accepted(state, byBound)
  }
  const exact = await inTime(state, 4, parts.tokenCounts.of(state))
  const least = claimsOf(parts, state, { ...paying, exact, vector: null })
  if (least.length === 0) return allow
  const taken = exact === null && vector === null ? byBound : await take(parts, state, least)
  if (taken.refusing === null) return accepted(state, taken)
  parts.money.alarm.exceeded(state.facts.tenantId, taken.refusing.hold.budget, taken.now)
  return block(budgetRefusal(taken.refusing, taken.now))
}

interface Taken {
  readonly standings: readonly Standing[]
  /** Nothing is held if there is one. */
  readonly refusing: Standing | null
  readonly now: number
}

type Standing = Refusing & { readonly row: ClaimRow }

async function take(
  parts: ChargeParts,
  state: WithFacts & WithPlan & WithProgress & Writes<WithMoney>,
  wanted: readonly Hold[],
): Promise<Taken> {
  const { kernel, money } = parts
  const now = kernel.clock.now()
  const rows = await money.reservations.take(state.facts.tenantId, {
    callId: state.facts.id,
    at: isoOf(now),
    expiresAt: isoOf(now + callDeadlineMs(state) + graceMs),
    claims: wanted.map(claimOf),
  })
  const holds = wanted.filter(({ budget }) => rows.some((row) => row.held && row.budget_id === budget.id))
  if (isGivenUp(state, 4)) {
    // It waited too long: the call has continued without the holds, or is over and will not settle them.
    kernel.background('give back a late reservation', releaseHolds(kernel, state, holds))
    return { standings: [], refusing: null, now }
  }
  state.write({ money: { holds } })
  const standings = rows.flatMap((row): readonly Standing[] => {
    const hold = wanted.find(({ budget }) => budget.id === row.budget_id)
    if (hold === undefined) return []
    const standing = standingOf(row, { rule: hold.budget.rule, window: hold.budget.window(now) })
    return [{ row, hold, standing, amount: BigInt(row.amount) }]
  })
  return { standings, refusing: standings.find(({ row }) => row.refuses) ?? null, now }
}

function accepted(state: WithPlan & WithFindings, { standings }: Taken): StepOutcome {
  const over = standings.filter(({ row, hold, standing, amount }) => {
    return row.kind === 'soft' && standing.spent + standing.reserved + hold.amount > amount
  })
  for (const { hold } of over) flagSoft(state, hold.budget)
  return over.length > 0 ? { decision: 'flag' } : allow
}

function flagSoft(state: WithPlan & WithFindings, budget: Budget): void {
  note(state, {
    rule: budget.name,
    step: 'rate_and_budget',
    category: 'budget',
    action: 'flag',
    severity: 'medium',
  })
}
