/** Control that may be bought. */
export interface ControlOption {
  /** 0 or more, in the currency of the budget. */
  readonly cost: number
}

export interface ControlChoiceInput {
  readonly options: readonly ControlOption[]
  readonly budget: number
  /**
   * Benefit of a set of controls (indices in ascending order), for example avoided loss. Must be 0 or more for the empty
   * set and must not fall when a control is added.
   */
  readonly benefit: (chosen: readonly number[]) => number
  /**
   * `diminishing`: a control never adds more to a larger set (controls that overlap). `any`: controls may need each
   * other, as two parallel attack paths that both must be cut. The law gives the bounds of search and gap.
   */
  readonly returns: 'diminishing' | 'any'
  /** Largest number of controls in the set; unlimited by default. */
  readonly maximumControls?: number
}

export interface ControlChoice {
  /** Indices of the options in ascending order. */
  readonly chosen: readonly number[]
  readonly cost: number
  readonly benefit: number
  /** `exact`: no set within the budget has more benefit. `greedy`: the optimum is at most `bound`. */
  readonly method: 'exact' | 'greedy'
  /** Upper bound of the best possible benefit. */
  readonly bound: number
  /** `bound − benefit`: 0 for an exact choice. */
  readonly gap: number
}

/** Largest number of options that are searched exactly. */
export const exactOptions = 20

/**
 * Chooses the set of controls with the greatest benefit within a budget: exact by branch and bound up to 20 controls,
 * else greedy (the better of benefit and benefit per cost) with an upper bound and the gap to it. Ties go to the cheaper
 * set, then to lower indices, so that the result is the same everywhere.
 */
export function chooseControls(input: ControlChoiceInput): ControlChoice {
  requireInput(input)
  return input.options.length <= exactOptions ? searchExactly(input) : searchGreedily(input)
}

function requireInput({ options, budget, maximumControls = options.length }: ControlChoiceInput): void {
  if (!(budget >= 0)) throw new RangeError(`Budget must be 0 or more, got ${budget}`)
  if (!(Number.isInteger(maximumControls) && maximumControls >= 0)) {
    throw new RangeError(`Maximum number of controls must be 0, 1, 2, …, got ${maximumControls}`)
  }
  for (const { cost } of options) {
    if (!(cost >= 0 && Number.isFinite(cost))) throw new RangeError(`Cost must be finite and 0 or more, got ${cost}`)
  }
}

function limitOf({ maximumControls, options }: ControlChoiceInput): number {
  return maximumControls ?? options.length
}

interface Candidate {
  readonly chosen: readonly number[]
  readonly cost: number
  readonly benefit: number
}

/** Depth first, with the control first and without it second; a branch ends where its bound cannot beat the best. */
function searchExactly(input: ControlChoiceInput): ControlChoice {
  const limit = limitOf(input)
  let best = greedyChoice(input)

  const visit = (next: number, at: Candidate): void => {
    if (isBetter(at, best)) best = at
    if (next === input.options.length || at.chosen.length === limit) return
    const bound = boundOf(input, at, next)
    if (bound < best.benefit || (bound === best.benefit && at.cost >= best.cost)) return
    const cost = at.cost + (input.options[next]?.cost ?? 0)
    if (cost <= input.budget) {
      const chosen = [...at.chosen, next]
      visit(next + 1, { chosen, cost, benefit: input.benefit(chosen) })
    }
    visit(next + 1, at)
  }
  visit(0, { chosen: [], cost: 0, benefit: input.benefit([]) })
  return { ...best, method: 'exact', bound: best.benefit, gap: 0 }
}

function searchGreedily(input: ControlChoiceInput): ControlChoice {
  const best = greedyChoice(input)
  const empty = { chosen: [], cost: 0, benefit: input.benefit([]) }
  const bound = Math.max(best.benefit, Math.min(boundOf(input, empty, 0), boundAround(input, best)))
  return { ...best, method: 'greedy', bound, gap: bound - best.benefit }
}

/**
 * Upper bound of all sets that add options from `next` on. Any returns: the benefit of adding everything affordable at
 * once. Diminishing returns: the marginal gains, filled into the remaining budget in fractions (Leskovec 2007).
 */
function boundOf(input: ControlChoiceInput, at: Candidate, next: number): number {
  const room = input.budget - at.cost
  const addable = input.options.flatMap(({ cost }, index) => (index >= next && cost <= room ? [index] : []))
  const everything = input.benefit([...at.chosen, ...addable])
  if (input.returns === 'any' || addable.length === 0) return everything
  const places = limitOf(input) - at.chosen.length
  return Math.min(everything, at.benefit + fractionalGain(input, { at, addable, room, places }))
}

/** Bound by the greedy set itself: with diminishing returns, no set beats it by more than the fractional gains on it. */
function boundAround(input: ControlChoiceInput, at: Candidate): number {
  if (input.returns === 'any') return Number.POSITIVE_INFINITY
  const others = input.options.flatMap(({ cost }, index) =>
    at.chosen.includes(index) || cost > input.budget ? [] : [index],
  )
  return at.benefit + fractionalGain(input, { at, addable: others, room: input.budget, places: limitOf(input) })
}

interface Growth {
  readonly at: Candidate
  readonly addable: readonly number[]
  /** Budget and number of controls that may be added. */
  readonly room: number
  readonly places: number
}

/** The largest gains bound the number of controls, the largest gains per cost the budget: the lower bound holds. */
function fractionalGain(input: ControlChoiceInput, { at, addable, room, places }: Growth): number {
  const gains = addable.map((index) => ({
    cost: input.options[index]?.cost ?? 0,
    gain: Math.max(0, input.benefit(ascending([...at.chosen, index])) - at.benefit),
  }))
  const byGain = gains.map(({ gain }) => gain).sort((a, b) => b - a)
  const byPlaces = byGain.slice(0, places).reduce((sum, gain) => sum + gain, 0)
  return Math.min(byPlaces, fill(gains, room))
}

function fill(gains: readonly { readonly cost: number; readonly gain: number }[], budget: number): number {
  let [room, sum] = [budget, 0]
  for (const { cost, gain } of [...gains].sort((a, b) => b.gain * a.cost - a.gain * b.cost)) {
    if (cost > room) return sum + (gain * room) / cost
    room -= cost
    sum += gain
  }
  return sum
}

/** The better of two greedy sets: by marginal benefit, and by marginal benefit per cost. */
function greedyChoice(input: ControlChoiceInput): Candidate {
  const byGain = greedy(input, (gain) => gain)
  const byRate = greedy(input, (gain, cost) => (cost === 0 ? Number.POSITIVE_INFINITY : gain / cost))
  return isBetter(byRate, byGain) ? byRate : byGain
}

function greedy(input: ControlChoiceInput, worth: (gain: number, cost: number) => number): Candidate {
  const limit = limitOf(input)
  let at: Candidate = { chosen: [], cost: 0, benefit: input.benefit([]) }
  while (at.chosen.length < limit) {
    let best: { readonly candidate: Candidate; readonly worth: number } | null = null
    for (const [index, { cost }] of input.options.entries()) {
      if (at.chosen.includes(index) || at.cost + cost > input.budget) continue
      const chosen = ascending([...at.chosen, index])
      const candidate = { chosen, cost: at.cost + cost, benefit: input.benefit(chosen) }
      const gain = candidate.benefit - at.benefit
      if (gain > 0 && worth(gain, cost) > (best?.worth ?? 0)) best = { candidate, worth: worth(gain, cost) }
    }
    if (best === null) return at
    at = best.candidate
  }
  return at
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.benefit !== b.benefit) return a.benefit > b.benefit
  if (a.cost !== b.cost) return a.cost < b.cost
  return a.chosen.length < b.chosen.length
}

function ascending(indices: readonly number[]): readonly number[] {
  return [...indices].sort((a, b) => a - b)
}
