import type { Bdd, BddNode } from './bdd.ts'

/** Most cut sets that are listed; a system with more is described by its importance measures. */
const maximumCutSets = 10_000

/**
 * Minimal cut sets of a coherent system: the minimal sets of variables whose failure (false) makes the function false.
 * Walks the diagram once with memory: for the top variable x, cut sets without x are those of the branch "x up" that
 * hold with x up; sets with x are those of "x down" that no set of "x up" covers (Rauzy 1993).
 */
export function minimalCutSets(bdd: Bdd, system: BddNode): readonly (readonly number[])[] {
  const memo = new Map<BddNode, readonly (readonly number[])[]>([
    [0, [[]]],
    [1, []],
  ])
  const visit = (node: BddNode): readonly (readonly number[])[] => {
    const known = memo.get(node)
    if (known !== undefined) return known
    const whileUp = visit(bdd.high(node))
    const whileDown = visit(bdd.low(node)).filter((set) => !whileUp.some((smaller) => covers(smaller, set)))
    const sets = [...whileUp, ...whileDown.map((set) => [bdd.variableOf(node), ...set])]
    if (sets.length > maximumCutSets) throw new RangeError(`More than ${maximumCutSets} minimal cut sets`)
    memo.set(node, sets)
    return sets
  }
  return visit(system)
}

function covers(smaller: readonly number[], set: readonly number[]): boolean {
  return smaller.every((variable) => set.includes(variable))
}
