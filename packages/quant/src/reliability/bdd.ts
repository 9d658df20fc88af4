/** Node of a {@link Bdd}: 0 is false, 1 is true. */
export type BddNode = number

/**
 * Reduced ordered binary decision diagrams over variables 0, 1, 2, … (Bryant 1986): equal functions are the same node.
 */
export interface Bdd {
  readonly variable: (index: number) => BddNode
  /** If-then-else: every Boolean operation is a case of it. */
  readonly ite: (condition: BddNode, then: BddNode, otherwise: BddNode) => BddNode
  readonly and: (a: BddNode, b: BddNode) => BddNode
  readonly or: (a: BddNode, b: BddNode) => BddNode
  readonly not: (a: BddNode) => BddNode
  /** Probability of true, for independent variables with the given probabilities of true. */
  readonly probability: (node: BddNode, probabilities: readonly number[]) => number
  readonly variableOf: (node: BddNode) => number
  readonly low: (node: BddNode) => BddNode
  readonly high: (node: BddNode) => BddNode
  /** Number of nodes made so far. */
  readonly size: () => number
}

/** The diagram has more nodes than its limit: the exact answer is out of reach. */
export class BddSizeError extends Error {
  override readonly name = 'BddSizeError'
}

const terminalVariable = Number.MAX_SAFE_INTEGER

/** Creates a diagram manager; a function that needs more than `maximumNodes` nodes throws {@link BddSizeError}. */
export function createBdd(maximumNodes = 1_000_000): Bdd {
  const variables: number[] = [terminalVariable, terminalVariable]
  const lows: BddNode[] = [0, 1]
  const highs: BddNode[] = [0, 1]
  const unique = new Map<string, BddNode>()
  const computed = new Map<string, BddNode>()

  const variableOf = (node: BddNode): number => variables[node] ?? terminalVariable
  const low = (node: BddNode): BddNode => lows[node] ?? 0
  const high = (node: BddNode): BddNode => highs[node] ?? 0

  function make(variable: number, lowNode: BddNode, highNode: BddNode): BddNode {
    if (lowNode === highNode) return lowNode
    const key = `${variable},${lowNode},${highNode}`
    const known = unique.get(key)
    if (known !== undefined) return known
    if (variables.length >= maximumNodes) throw new BddSizeError(`Decision diagram exceeds ${maximumNodes} nodes`)
    const node = variables.length
    variables.push(variable)
    lows.push(lowNode)
    highs.push(highNode)
    unique.set(key, node)
    return node
  }

  function ite(condition: BddNode, then: BddNode, otherwise: BddNode): BddNode {
    if (condition === 1 || then === otherwise) return then
    if (condition === 0) return otherwise
    if (then === 1 && otherwise === 0) return condition
    const key = `${condition},${then},${otherwise}`
    const known = computed.get(key)
    if (known !== undefined) return known
    const top = Math.min(variableOf(condition), variableOf(then), variableOf(otherwise))
    const lowNode = ite(cofactor(condition, top, low), cofactor(then, top, low), cofactor(otherwise, top, low))
    const highNode = ite(cofactor(condition, top, high), cofactor(then, top, high), cofactor(otherwise, top, high))
    const node = make(top, lowNode, highNode)
    computed.set(key, node)
    return node
  }

  function cofactor(node: BddNode, variable: number, branch: (node: BddNode) => BddNode): BddNode {
    return variableOf(node) === variable ? branch(node) : node
  }

  function probability(node: BddNode, probabilities: readonly number[]): number {
    const memo = new Map<BddNode, number>([
      [0, 0],
      [1, 1],
    ])
    const visit = (at: BddNode): number => {
      const known = memo.get(at)
      if (known !== undefined) return known
      const p = probabilities[variableOf(at)] ?? Number.NaN
      const result = (1 - p) * visit(low(at)) + p * visit(high(at))
      memo.set(at, result)
      return result
    }
    return visit(node)
  }

  return {
    variable: (index) => make(index, 0, 1),
    ite,
    and: (a, b) => ite(a, b, 0),
    or: (a, b) => ite(a, 1, b),
    not: (a) => ite(a, 0, 1),
    probability,
    variableOf,
    low,
    high,
    size: () => variables.length,
  }
}
