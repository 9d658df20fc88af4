import { expect, test } from 'vitest'
import { edge, names, smallAttackGraph as network, node } from '../../test/small-attack-graph.ts'
import { minimumVertexCut } from '../cuts/minimum-cut.ts'
import { kShortestPaths } from '../paths/k-shortest-paths.ts'
import { nodesOf } from '../paths/path.ts'
import { probabilityWeights } from '../paths/weights.ts'
import { exactReachProbability } from '../reach/exact.ts'
import { simulateReach } from '../reach/simulated.ts'
import { chokePoints, pathMassShares } from './choke-points.ts'
import { applyChanges, bestChanges, chooseChanges, nodeRemoval } from './remediation.ts'

// Values by enumeration of all 1,024 worlds: oracle attack_graph_small.
const { graph, probabilities } = network
const weights = probabilityWeights(graph, probabilities)
const paths = kShortestPaths(graph, weights, node('I'), node('D'), 10)
const seed = '42'

test('four paths to the customer data, most probable first, and no fifth', () => {
  const written = paths.map((path) => [
    nodesOf(graph, node('I'), path)
      .map((each) => names[each])
      .join('-'),
    Number(Math.exp(-path.length).toFixed(10)),
  ])
  expect(written).toEqual([
    ['I-C-A-T-D', 0.3078],
    ['I-W-H-D', 0.12],
    ['I-H-D', 0.08],
    ['I-C-A-V-D', 0.0684],
  ])
  for (const [index, length] of [1.178305, 2.120264, 2.525729, 2.682382].entries()) {
    expect(paths[index]?.length).toBeCloseTo(length, 6)
  }
})

test.each([
  ['D', 0.445987016],
  ['A', 0.36],
  ['H', 0.235],
  ['T', 0.342],
  ['V', 0.072],
  ['W', 0.3],
  ['C', 0.9],
] as const)('reach of %s is %d', (name, probability) => {
  expect(exactReachProbability(network, node(name))).toBeCloseTo(probability, 9)
})

test('the simulation agrees within four standard errors, and not with a noisy-or over paths (0.4779)', () => {
  const { worlds, reached } = simulateReach(network, { seed, worlds: 200_000 })
  const share = (reached[node('D')] ?? 0) / worlds
  expect(Math.abs(share - 0.445987016)).toBeLessThan(4 * Math.sqrt((0.446 * 0.554) / worlds))
  expect(Math.abs(share - 0.4779266)).toBeGreaterThan(0.02)
})

test('choke points by loss of reach: content and agent first', () => {
  const points = chokePoints({ network, target: node('D'), seed })
  const expected = { C: 0.188, A: 0.188, T: 0.243541, H: 0.317718, W: 0.372301, V: 0.437934 }
  expect(points.map((point) => names[point.node])).toEqual(['C', 'A', 'T', 'H', 'W', 'V'])
  for (const point of points) {
    expect(point.reachWithout).toBeCloseTo(Object.entries(expected).find(([n]) => n === names[point.node])?.[1] ?? 0, 6)
    expect(point.dominates).toBe(false)
  }
})

test('share of path mass', () => {
  const shares = pathMassShares(network, paths)
  const expected = { A: 0.652898, C: 0.652898, T: 0.53419, H: 0.347102, W: 0.208261, V: 0.118709 } as const
  const nodes: readonly string[] = names
  for (const [name, share] of Object.entries(expected)) {
    expect(shares.get(nodes.indexOf(name))).toBeCloseTo(share, 6)
  }
})

test('minimum cuts: two nodes; by cost content and host for 5', () => {
  const ends = { graph, from: [node('I')], to: [node('D')] }
  expect(minimumVertexCut({ ...ends, cost: () => 1 })?.cost).toBe(2)
  const costs: Readonly<Record<string, number>> = { W: 4, H: 3, C: 2, A: 5, T: 3, V: 2 }
  const cut = minimumVertexCut({ ...ends, cost: (each) => costs[names[each] ?? ''] ?? 1 })
  expect(cut).toEqual({ items: [node('H'), node('C')].sort((a, b) => a - b), cost: 5 })
})

const harden = (cost: number, ...factors: readonly (readonly [string, number])[]) => ({
  cost,
  factors: factors.map(([ends, to]) => ({ edge: edge(ends), factor: to / (probabilities[edge(ends)] ?? 1) })),
})
const guardrail = harden(2, ['C-A', 0.04])
const hardenHost = harden(3, ['W-H', 0.05], ['I-H', 0.01])
const leastPrivilege = harden(3, ['T-D', 0.09])

test.each([
  ['guardrail', guardrail, 0.213798702],
  ['hardened host', hardenHost, 0.331281766],
  ['least privilege of the tool', leastPrivilege, 0.263785422],
])('what if: %s', (_, change, probability) => {
  expect(exactReachProbability(applyChanges(network, [change]), node('D'))).toBeCloseTo(probability, 8)
})

test('the two changes that cut most are guardrail and host', () => {
  const changes = [guardrail, hardenHost, leastPrivilege, nodeRemoval(network, node('V'), 1)]
  const best = bestChanges({ network, targets: [node('D')], changes, seed })
  expect(best.chosen).toEqual([0, 1])
  expect(best.before).toBeCloseTo(0.445987016, 9)
  expect(best.after).toBeCloseTo(
    exactReachProbability(applyChanges(network, [guardrail, hardenHost]), node('D')) ?? 0,
    12,
  )
})

test('within a budget of 3 the guardrail with the vault removed is best', () => {
  const changes = [guardrail, hardenHost, leastPrivilege, nodeRemoval(network, node('V'), 1)]
  const choice = chooseChanges({ network, targets: [node('D')], changes, seed, budget: 3 })
  expect(choice.chosen).toEqual([0, 3])
  expect([choice.cost, choice.method, choice.gap]).toEqual([3, 'exact', 0])
})

test('blast radius of the agent', () => {
  const from = { ...network, entries: [node('A')] }
  for (const [name, probability] of [
    ['T', 0.95],
    ['V', 0.2],
    ['D', 0.88255],
    ['W', 0],
  ] as const) {
    expect(exactReachProbability(from, node(name))).toBeCloseTo(probability, 10)
  }
})
