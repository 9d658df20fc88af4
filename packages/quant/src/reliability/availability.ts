import { type Bdd, type BddNode, createBdd } from './bdd.ts'
import { minimalCutSets } from './cut-sets.ts'
import { requiredParts, type Structure } from './structure.ts'

/** Largest number of distinct components of the exact analysis. */
export const maximumComponents = 64

/** Steady-state availability of a repairable component, `MTTF/(MTTF + MTTR)`; both in the same unit. */
export function steadyStateAvailability(meanTimeToFailure: number, meanTimeToRepair: number): number {
  if (!(meanTimeToFailure > 0 && meanTimeToRepair >= 0)) {
    throw new RangeError(`Needs MTTF > 0 and MTTR ≥ 0, got ${meanTimeToFailure} and ${meanTimeToRepair}`)
  }
  return meanTimeToFailure / (meanTimeToFailure + meanTimeToRepair)
}

export interface ComponentImportance {
  readonly component: number
  /** Availability with the component up, minus availability with it down (Birnbaum). */
  readonly birnbaum: number
  /** Probability that a minimal cut set with the component is down, given that the system is down. */
  readonly fussellVesely: number
}

export interface AvailabilityAnalysis {
  readonly availability: number
  /** Minimal sets of components whose failure brings the system down, small ones first. */
  readonly cutSets: readonly (readonly number[])[]
  /** Components that bring the system down alone. */
  readonly singlePoints: readonly number[]
  readonly importance: readonly ComponentImportance[]
}

/**
 * Exact steady-state availability of a system of independent components by binary decision diagram, with cut sets and
 * importance measures. Components that occur in several places count once.
 *
 * @param availabilities availability (0..1) of each component by its index
 * @throws RangeError for missing or invalid availabilities or more than 64 components; BddSizeError where the structure
 *   is too entangled: estimate by simulation then
 */
export function analyzeAvailability(structure: Structure, availabilities: readonly number[]): AvailabilityAnalysis {
  const order = componentsOf(structure)
  requireAvailabilities(order, availabilities)
  const bdd = createBdd()
  const system = compile(bdd, structure, new Map(order.map((component, variable) => [component, variable])))
  const up = order.map((component) => availabilities[component] ?? 0)
  const availability = bdd.probability(system, up)
  const cutSets = minimalCutSets(bdd, system)
  return {
    availability,
    cutSets: inComponents(cutSets, order),
    singlePoints: cutSets.flatMap(([variable, ...rest]) =>
      variable === undefined || rest.length > 0 ? [] : [order[variable] ?? variable],
    ),
    importance: order.map((component, variable) => ({
      component,
      birnbaum: birnbaum(bdd, system, up, variable),
      fussellVesely: fussellVesely(bdd, cutSets, up, variable, 1 - availability),
    })),
  }
}

/** Components in the order of first occurrence: neighbors in the structure stay neighbors in the diagram. */
function componentsOf(structure: Structure): readonly number[] {
  const found = new Set<number>()
  const seen = new Set<Structure>()
  const visit = (node: Structure): void => {
    if (seen.has(node)) return
    seen.add(node)
    if (node.kind === 'component') found.add(node.component)
    else node.parts.forEach(visit)
  }
  visit(structure)
  return [...found]
}

function requireAvailabilities(components: readonly number[], availabilities: readonly number[]): void {
  if (components.length > maximumComponents) {
    throw new RangeError(`At most ${maximumComponents} components, got ${components.length}`)
  }
  for (const component of components) {
    const availability = availabilities[component] ?? Number.NaN
    if (!(availability >= 0 && availability <= 1)) {
      throw new RangeError(`Availability of component ${component} must be 0..1, got ${availability}`)
    }
  }
}

function compile(bdd: Bdd, structure: Structure, variables: ReadonlyMap<number, number>): BddNode {
  const memo = new Map<Structure, BddNode>()
  const visit = (node: Structure): BddNode => {
    const known = memo.get(node)
    if (known !== undefined) return known
    const result =
      node.kind === 'component'
        ? bdd.variable(variables.get(node.component) ?? 0)
        : atLeast(bdd, requiredParts(node), node.parts.map(visit))
    memo.set(node, result)
    return result
  }
  return visit(structure)
}

/** At least k of the functions hold, by dynamic programming from the last function to the first. */
function atLeast(bdd: Bdd, k: number, parts: readonly BddNode[]): BddNode {
  let row: BddNode[] = Array.from({ length: k + 1 }, (_, needed) => (needed === 0 ? 1 : 0))
  for (const part of [...parts].reverse()) {
    row = row.map((without, needed) => (needed === 0 ? 1 : bdd.ite(part, row[needed - 1] ?? 0, without)))
  }
  return row[k] ?? 0
}

function birnbaum(bdd: Bdd, system: BddNode, up: readonly number[], variable: number): number {
  const given = (value: number) => bdd.probability(system, up.with(variable, value))
  return given(1) - given(0)
}

function fussellVesely(
  bdd: Bdd,
  cutSets: readonly (readonly number[])[],
  up: readonly number[],
  variable: number,
  unavailability: number,
): number {
  if (unavailability <= 0) return 0
  const down = cutSets
    .filter((set) => set.includes(variable))
    .map((set) => set.reduce((all, each) => bdd.and(all, bdd.not(bdd.variable(each))), 1))
    .reduce((any, set) => bdd.or(any, set), 0)
  return Math.min(1, bdd.probability(down, up) / unavailability)
}

function inComponents(
  cutSets: readonly (readonly number[])[],
  order: readonly number[],
): readonly (readonly number[])[] {
  return cutSets
    .map((set) => set.map((variable) => order[variable] ?? variable).sort((a, b) => a - b))
    .sort((a, b) => a.length - b.length || compare(a, b))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
