import { stronglyConnectedComponents } from './components.ts'
import type { Graph } from './graph.ts'

/** Which node reaches which. */
export interface TransitiveClosure {
  /** Whether a path of one or more edges leads from one node to another. */
  readonly reaches: (from: number, to: number) => boolean
  /** Number of nodes that a node reaches. */
  readonly reachCount: (from: number) => number
}

/** Largest number of strongly connected components: their bit matrix takes up to 50 MB there. */
const maximumComponents = 20_000

/**
 * Transitive closure by bit sets over the strongly connected components, which come in reverse topological order.
 *
 * @throws RangeError beyond 20,000 components: use `walk` from single nodes then
 */
export function transitiveClosure(graph: Graph): TransitiveClosure {
  const { count, of } = stronglyConnectedComponents(graph)
  if (count > maximumComponents) throw new RangeError(`At most ${maximumComponents} components, got ${count}`)
  const words = (count + 31) >>> 5
  const bits = new Uint32Array(count * words)
  const cyclic = new Uint8Array(count)
  const sizes = new Int32Array(count)
  for (const component of of) sizes[component] = (sizes[component] ?? 0) + 1
  for (let edge = 0; edge < graph.edges; edge++) {
    const from = of[graph.sources[edge] ?? 0] ?? 0
    const to = of[graph.targets[edge] ?? 0] ?? 0
    if (from === to) cyclic[from] = 1
    else set(bits, from * words, to)
  }
  for (let component = 0; component < count; component++) {
    addSuccessors(bits, words, component)
    if (cyclic[component] === 1) set(bits, component * words, component)
  }
  const componentOf = (node: number) => {
    const component = of[node]
    if (component === undefined) throw new RangeError(`Unknown node ${node}`)
    return component
  }
  return {
    reaches: (from, to) => has(bits, componentOf(from) * words, componentOf(to)),
    reachCount: (from) => {
      const row = componentOf(from) * words
      return sizes.reduce((sum, size, component) => sum + (has(bits, row, component) ? size : 0), 0)
    },
  }
}

/** Successors have smaller numbers, so their rows are complete. */
function addSuccessors(bits: Uint32Array, words: number, component: number): void {
  const row = component * words
  const direct = bits.slice(row, row + words)
  for (let other = 0; other < component; other++) {
    if (!has(direct, 0, other)) continue
    for (let word = 0; word < words; word++)
      bits[row + word] = (bits[row + word] ?? 0) | (bits[other * words + word] ?? 0)
  }
}

function set(bits: Uint32Array, row: number, index: number): void {
  const word = row + (index >>> 5)
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31))
}

function has(bits: Uint32Array, row: number, index: number): boolean {
  return (((bits[row + (index >>> 5)] ?? 0) >>> (index & 31)) & 1) === 1
}
