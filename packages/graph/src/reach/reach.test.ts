import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphs } from '../../test/random-graph.ts'
import { smallAttackGraph } from '../../test/small-attack-graph.ts'
import { createGraph } from '../structure/graph.ts'
import { type AttackNetwork, reachedNodes } from './attack-network.ts'
import { exactReachProbability } from './exact.ts'
import { reachProbabilities } from './reach-probability.ts'
import { simulateReach } from './simulated.ts'

const probability = fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1)

/** Random networks with cycles, AND nodes and one or two entries. */
const networks: fc.Arbitrary<AttackNetwork> = graphs({ nodes: 7, edges: 11 }).chain((graph) =>
  fc.record({
    graph: fc.constant(graph),
    probabilities: fc
      .array(probability, { minLength: graph.edges, maxLength: graph.edges })
      .map((list) => Float64Array.from(list)),
    entries: fc.uniqueArray(fc.nat(graph.nodes - 1), { minLength: 1, maxLength: 2 }),
    allOf: fc
      .array(fc.nat(2), { minLength: graph.nodes, maxLength: graph.nodes })
      .map((list) => Uint8Array.from(list, (each) => (each === 0 ? 1 : 0))),
  }),
)

/** Sum over all worlds. */
function enumerate(network: AttackNetwork, target: number): number {
  let sum = 0
  for (let world = 0; world < 1 << network.graph.edges; world++) {
    if (reachedNodes(network, (edge) => ((world >> edge) & 1) === 1)[target] === 0) continue
    sum += network.probabilities.reduce((p, each, edge) => p * ((world >> edge) & 1 ? each : 1 - each), 1)
  }
  return sum
}

test('the exact method equals enumeration of all worlds, with cycles and AND nodes', () => {
  fc.assert(
    fc.property(networks, (network) => {
      const target = network.graph.nodes - 1
      expect(exactReachProbability(network, target)).toBeCloseTo(enumerate(network, target), 12)
    }),
    { numRuns: 400 },
  )
})

test('the simulation is inside five standard errors of the exact value', () => {
  fc.assert(
    fc.property(networks, fc.nat(), (network, seed) => {
      const { worlds, reached } = simulateReach(network, { seed: String(seed), worlds: 8_192 })
      for (let node = 0; node < network.graph.nodes; node++) {
        const exact = exactReachProbability(network, node) ?? 0
        const error = Math.sqrt(Math.max(exact * (1 - exact), 0) / worlds)
        expect(Math.abs((reached[node] ?? 0) / worlds - exact)).toBeLessThanOrEqual(5 * error)
      }
    }),
    { numRuns: 60 },
  )
})

test('intervals of the simulation contain the exact value in at least 93 of 100 seeds', () => {
  const exact = exactReachProbability(smallAttackGraph, 7) ?? 0
  let inside = 0
  for (let seed = 0; seed < 100; seed++) {
    const { worlds, reached } = simulateReach(smallAttackGraph, { seed: String(seed), worlds: 4_096 })
    const half = 1.96 * Math.sqrt((exact * (1 - exact)) / worlds)
    if (Math.abs((reached[7] ?? 0) / worlds - exact) <= half) inside++
  }
  expect(inside).toBeGreaterThanOrEqual(93)
})

test('batches of two workers add up to the result of one', () => {
  const options = { seed: '7', worlds: 640 }
  const whole = simulateReach(smallAttackGraph, options)
  const parts = [
    simulateReach(smallAttackGraph, { ...options, batches: { first: 0, end: 7 } }),
    simulateReach(smallAttackGraph, { ...options, batches: { first: 7, end: 20 } }),
  ]
  expect(parts.map(({ worlds }) => worlds)).toEqual([224, 416])
  expect([...whole.reached]).toEqual(
    [...whole.reached.keys()].map((node) => parts.reduce((sum, part) => sum + (part.reached[node] ?? 0), 0)),
  )
})

test('a lower probability never raises reach in the same worlds, and a removed node lowers it', () => {
  fc.assert(
    fc.property(networks, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (network, factor, pick) => {
      const probabilities = network.probabilities.slice()
      const edge = network.graph.edges === 0 ? 0 : pick % network.graph.edges
      if (probabilities[edge] !== undefined) probabilities[edge] = (probabilities[edge] ?? 0) * factor
      const options = { seed: '1', worlds: 64 }
      const [before, after] = [simulateReach(network, options), simulateReach({ ...network, probabilities }, options)]
      for (const [node, count] of after.reached.entries()) expect(count).toBeLessThanOrEqual(before.reached[node] ?? 0)
      const nodes = Uint8Array.from({ length: network.graph.nodes }, (_, node) =>
        node === pick % network.graph.nodes ? 0 : 1,
      )
      const without = simulateReach(network, { ...options, kept: { nodes } })
      for (const [node, count] of without.reached.entries())
        expect(count).toBeLessThanOrEqual(before.reached[node] ?? 0)
    }),
  )
})

test('two ways through one shared edge count it once', () => {
  const graph = createGraph(4, [0, 1, 1, 2], [1, 2, 3, 3])
  const network = { graph, probabilities: Float64Array.of(0.5, 1, 1, 1), entries: [0] }
  expect(exactReachProbability(network, 3)).toBe(0.5)
})

test('an AND node needs all; nodes that need each other stay unreached', () => {
  // 3 needs 1 and 2; 4 and 5 only reach each other.
  const graph = createGraph(6, [0, 0, 1, 2, 4, 5], [1, 2, 3, 3, 5, 4])
  const network = {
    graph,
    probabilities: Float64Array.of(0.5, 0.4, 1, 0.9, 1, 1),
    entries: [0],
    allOf: Uint8Array.of(0, 0, 0, 1, 0, 0),
  }
  expect(exactReachProbability(network, 3)).toBeCloseTo(0.5 * 0.4 * 0.9, 14)
  expect(exactReachProbability(network, 4)).toBe(0)
})

test('above 22 uncertain edges the answer is simulated, with its interval', () => {
  // A ladder of 30 rungs cannot be reduced.
  const [from, to]: [number[], number[]] = [[], []]
  for (let rung = 0; rung < 30; rung++) {
    for (const side of [0, 1]) {
      from.push(2 * rung + side, 2 * rung + side)
      to.push(2 * rung + 2, 2 * rung + 3)
    }
  }
  const graph = createGraph(62, from, to)
  const network = { graph, probabilities: new Float64Array(graph.edges).fill(0.8), entries: [0] }
  const [result] = reachProbabilities(network, [60], { seed: '3', worlds: 20_000 })
  expect(result?.method).toBe('simulated')
  // Transfer matrix by hand: states "one of two reached" and "both reached" of a rung.
  let [one, both] = [1, 0]
  for (let rung = 0; rung < 29; rung++) {
    const each = 1 - 0.2 * 0.2
    const [nextOne, nextBoth] = [one * 2 * 0.8 * 0.2 + both * 2 * each * (1 - each), one * 0.64 + both * each * each]
    one = nextOne
    both = nextBoth
  }
  const exact = one * 0.8 + both * 0.96
  expect(result?.interval.low).toBeLessThan(exact)
  expect(result?.interval.high).toBeGreaterThan(exact)
})

test('invalid probabilities, entries, seeds and numbers of worlds are refused', () => {
  const graph = createGraph(2, [0], [1])
  const network = { graph, probabilities: Float64Array.of(0.5), entries: [0] }
  expect(() => reachProbabilities({ ...network, probabilities: Float64Array.of(1.1) }, [1], { seed: '1' })).toThrow(
    RangeError,
  )
  expect(() => reachProbabilities({ ...network, entries: [5] }, [1], { seed: '1' })).toThrow(RangeError)
  expect(() => simulateReach(network, { seed: 'x', worlds: 64 })).toThrow(RangeError)
  expect(() => simulateReach(network, { seed: '1', worlds: 2_000_000 })).toThrow(RangeError)
  expect(() => simulateReach({ ...network, allOf: new Uint8Array(1) }, { seed: '1', worlds: 64 })).toThrow(RangeError)
})
