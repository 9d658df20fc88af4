/**
 * Step 4's part about money: finds the budgets a call falls under, reserves its worst case in all of them or in none, and
 * says so where one refuses. Budgets hold whatever the mode of the policy. Tested in charging.test.ts.
 */
import type { Kernel } from '../../../kernel/kernel.ts'
import { withinLimits } from '../call/limits.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { callDeadlineMs } from '../pipeline/deadline.ts'
import { note } from '../pipeline/findings.ts'
import { inTime, isGivenUp } from '../pipeline/in-time.ts'
import { allow, block, type StepOutcome } from '../pipeline/step.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import type { ExactCounts, TokenCounts } from '../tokens/exact-counts.ts'
import type { Nano } from './amounts.ts'
import { boundOutput, countInput } from './bounds.ts'
import { type Budget, type Caller, covers } from './budget.ts'
import { worstCost } from './cost.ts'
import { callerOf, type Hold } from './hold.ts'
import type { ClaimRow } from './ledger.ts'
import type { TenantMoney } from './load.ts'
import type { Money } from './money.ts'
import { budgetRefusal, lastingRefusal, type Refusing } from './refusal.ts'
import { releaseHolds } from './settle.ts'
import { isoOf, standingOf } from './standing.ts'

interface ChargeParts {
  readonly kernel: Kernel
  readonly money: Money
  readonly tokenCounts: TokenCounts
}

export function chargeBudgets(
  parts: ChargeParts,
  state: CallState,
  { budgets, prices }: TenantMoney,
): StepOutcome | Promise<StepOutcome> {
  state.prices = prices
  const rules = state.policy.effective.budget
  if ((budgets.length === 0 && !rules.require) || !state.targets.some(isPaid)) return allow
  const caller = callerOf(state)
  const covered = budgets.filter((budget) => state.targets.some((target) => isCovered(budget, caller, target)))
  if (rules.require && covered.length === 0) return block(lastingRefusal('No budget covers this call.'))
  const refused = leavePriced(state, { covered, caller, all: rules.require && rules.on_unpriced === 'block' })
  if (refused !== null) return refused
  const claims = (exact: ExactCounts | null): readonly Hold[] =>
    covered.flatMap((budget) => claimsOf(parts, state, { budget, caller, exact }))
  const bound = claims(null)
  return bound.length === 0 ? allow : reserve(parts, state, { bound, claims })
}

const isPaid = ({ provider }: Target): boolean => !isOffline(provider)
const isCovered = (budget: Budget, caller: Caller, target: Target): boolean =>
  isPaid(target) && covers(budget, caller, target)

/** The price of a target in a currency; other currencies cannot be compared with a budget and count as no price. */
function priceIn(state: CallState, target: Target, currency: string) {
  const price = state.prices?.find(target, state.facts.startedAt) ?? null
  return price !== null && price.sheet.currency === currency ? price : null
}

interface Unpriced {
  readonly covered: readonly Budget[]
  readonly caller: Caller
  /** The policy asks for a price whatever the budgets say. */
  readonly all: boolean
}

/** Takes away the targets whose price somebody insists on knowing; a call that has none left is refused. */
function leavePriced(state: CallState, { covered, caller, all }: Unpriced): StepOutcome | null {
  const strict = covered.filter(({ onUnpriced }) => all || onUnpriced === 'block')
  const left = state.targets.filter((target) =>
    strict.every((budget) => !isCovered(budget, caller, target) || priceIn(state, target, budget.currency) !== null),
  )
  const [first] = strict
  if (left.length > 0 || first === undefined) {
    state.targets = left.length > 0 ? left : state.targets
    return null
  }
  const [target] = state.targets
  const model = target === undefined ? '' : `${target.provider.name}/${target.model}`
  const what = `The model ${model} has no price in ${first.currency}, which the budget ${first.name} asks for.`
  return block(lastingRefusal(what))
}

interface Claiming {
  readonly budget: Budget
  readonly caller: Caller
  /** Null where the bound has not refused yet. */
  readonly exact: ExactCounts | null
}

/** What a target costs at worst: as the one that answers, and as one that read the question and was not waited for. */
interface Worst {
  readonly answering: Nano
  readonly reading: Nano
}

/** The worst of the targets that may answer; none when no price is known and the budget lets that pass. */
function claimsOf({ kernel }: ChargeParts, state: CallState, claiming: Claiming): readonly Hold[] {
  const { budget } = claiming
  const worst = state.targets.flatMap((target) => worstOf(state, target, claiming) ?? [])
  if (worst.length === 0) return []
  const bucket = isoOf(budget.window(kernel.clock.now()).bucket)
  return [{ id: kernel.random.uuid(), budget, bucket, amount: worstOfAll(state, worst) }]
}

function worstOf(state: CallState, target: Target, { budget, caller, exact }: Claiming): Worst | null {
  const price = isCovered(budget, caller, target) ? priceIn(state, target, budget.currency) : null
  if (price === null) return null
  const inputTokens = exact?.(target) ?? countInput(state.call).atMost
  const outputTokens = boundOutput(withinLimits(state.call, target), price.maxOutputTokens)
  const costOf = (tokens: number) =>
    worstCost(price.sheet, { inputTokens, outputTokens: tokens }, state.call.serviceTier)
  const answering = costOf(outputTokens)
  return answering === null ? null : { answering, reading: costOf(0) ?? answering }
}

/** One answers, and before it each of the others may have let the call wait in vain, as often as it may ask at all. */
function worstOfAll({ policy, route }: CallState, worst: readonly Worst[]): Nano {
  const dearest = worst.reduce((most, { answering }) => (answering > most ? answering : most), 0n)
  const readings = worst.map(({ reading }) => reading).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const others = Math.min(worst.length, policy.effective.upstream.max_attempts) - 1
  const inVain = readings.slice(0, others).reduce((sum, reading) => sum + reading, 0n)
  // Two targets may be asked at once, and both are paid for.
  return (route?.hedgeAfterMs == null ? dearest : dearest * 2n) + inVain
}

/** After the deadline of the call and this long a hold without an outcome is swept, later than the call itself. */
const graceMs = 120_000

interface Reserving {
  readonly bound: readonly Hold[]
  claims(exact: ExactCounts): readonly Hold[]
}

/** By the bound first; where that finds no room, by what the tokenizers count. */
async function reserve(parts: ChargeParts, state: CallState, { bound, claims }: Reserving): Promise<StepOutcome> {
  const byBound = await take(parts, state, bound)
  if (byBound.refusing === null) return accepted(state, byBound)
  const exact = await inTime(state, 4, parts.tokenCounts.of(state))
  const taken = exact === null ? byBound : await take(parts, state, claims(exact))
  if (taken.refusing === null) return accepted(state, taken)
  parts.money.alarm.exceeded(state.facts.tenantId, taken.refusing.hold.budget, taken.now)
  return block(budgetRefusal(taken.refusing, taken.now))
}

interface Taken {
  readonly standings: readonly Standing[]
  /** Nothing is held where there is one. */
  readonly refusing: Standing | null
  readonly now: number
}

type Standing = Refusing & { readonly row: ClaimRow }

async function take(parts: ChargeParts, state: CallState, wanted: readonly Hold[]): Promise<Taken> {
  const { kernel, money } = parts
  const now = kernel.clock.now()
  const rows = await money.reservations.take(state.facts.tenantId, {
    callId: state.facts.id,
    at: isoOf(now),
    expiresAt: isoOf(now + callDeadlineMs(state) + graceMs),
    claims: wanted.map(({ id, budget, bucket, amount }) => ({
      holdId: id,
      budgetId: budget.id,
      bucket,
      since: isoOf(budget.window(now).since),
      amountNano: String(amount),
    })),
  })
  const holds = wanted.filter(({ budget }) => rows.some((row) => row.held && row.budget_id === budget.id))
  if (isGivenUp(state, 4)) {
    // It waited in line for too long: the call has gone on without them, or is over and will not settle them.
    kernel.background('give back a late reservation', releaseHolds(kernel, state, holds))
    return { standings: [], refusing: null, now }
  }
  state.holds = holds
  const standings = rows.flatMap((row): readonly Standing[] => {
    const hold = wanted.find(({ budget }) => budget.id === row.budget_id)
    if (hold === undefined) return []
    const standing = standingOf(row, { rule: hold.budget.rule, window: hold.budget.window(now) })
    return [{ row, hold, standing, amount: BigInt(row.amount) }]
  })
  return { standings, refusing: standings.find(({ row }) => row.refuses) ?? null, now }
}

function accepted(state: CallState, { standings }: Taken): StepOutcome {
  const over = standings.filter(({ row, hold, standing, amount }) => {
    return row.kind === 'soft' && standing.spent + standing.reserved + hold.amount > amount
  })
  for (const { hold } of over) flagSoft(state, hold.budget)
  return over.length > 0 ? { decision: 'flag' } : allow
}

function flagSoft(state: CallState, budget: Budget): void {
  note(state, {
    rule: budget.name,
    step: 'rate_and_budget',
    category: 'budget',
    action: 'flag',
    severity: 'medium',
  })
}
