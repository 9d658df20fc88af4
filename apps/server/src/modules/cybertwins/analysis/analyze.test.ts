import { expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import type { AnalysisInputs } from '../declared/analysis-schema.ts'
import type { TwinState } from '../model/state.ts'
import { edge, idOf, inputs, type Letter, node, smallEstate } from '../testing/small-estate.ts'
import { analyze } from './analyze.ts'

// Values by enumeration of all 1,024 worlds: oracle attack_graph_small.
function analyzed(over: Partial<AnalysisInputs> = {}, state: TwinState = smallEstate) {
  const result = analyze({ state, inputs: { ...inputs, ...over }, seed: '42' }, inPlace)
  if (result === null) throw new Error('stopped')
  return result
}

test('four paths to the customer data, most probable first, and no fifth', () => {
  const { paths } = analyzed()
  const written = paths.map(({ steps, probability }) => [
    [steps[0]?.from.name, ...steps.map(({ to }) => to.name)].join('-'),
    Number(probability.toFixed(10)),
  ])
  expect(written).toEqual([
    ['I-C-A-T-D', 0.3078],
    ['I-W-H-D', 0.12],
    ['I-H-D', 0.08],
    ['I-C-A-V-D', 0.0684],
  ])
})

test('the data is reached with the exact probability, and not with a noisy-or over paths', () => {
  const [reach] = analyzed().reach
  expect(reach).toMatchObject({ method: 'exact', measured: null })
  expect(reach?.probability).toBeCloseTo(0.445987016, 9)
})

test('choke points by their loss, with the share of the paths through them', () => {
  const points = new Map(analyzed().choke_points.map((point) => [point.node.name, point]))
  const expected = { C: 0.188, A: 0.188, T: 0.243541, H: 0.317718, W: 0.372301, V: 0.437934 }
  expect([...points.keys()].sort()).toEqual(Object.keys(expected).sort())
  for (const [name, without] of Object.entries(expected))
    expect(points.get(name)?.reach_without).toBeCloseTo(without, 6)
  expect(points.get('A')?.path_share).toBeCloseTo(0.652898, 6)
})

test('the cheapest cut is content and host for 5', () => {
  const cost = { W: 4, H: 3, C: 2, A: 5, T: 3, V: 2 }
  const costs = Object.entries(cost).map(([letter, value]) => ({ asset_id: idOf(letter as Letter), cost: value }))
  const [cut] = analyzed({ costs }).cuts
  expect([cut?.cost, cut?.nodes.map(({ name }) => name).sort()]).toEqual([5, ['C', 'H']])
  expect(analyzed().cuts[0]?.cost).toBe(2)
})

test('what-ifs: a guardrail is worth more than a hardened host', () => {
  const { what_if: tried } = analyzed({
    what_if: [
      { op: 'guardrail', asset_id: idOf('A'), efficacy: 0.9 },
      { op: 'harden_relation', source_id: idOf('T'), target_id: idOf('D'), probability: 0.09 },
      { op: 'remove_asset', asset_id: idOf('H') },
      { op: 'harden_asset', asset_id: idOf('H'), factor: 0.1 },
    ],
  })
  const after = tried.map(({ reach }) => reach[0]?.after ?? 0)
  expect(after[0]).toBeCloseTo(0.213798702, 8)
  expect(after[1]).toBeCloseTo(0.263785422, 8)
  expect(after[2]).toBeCloseTo(0.317718, 6)
  expect(after[3]).toBeCloseTo(0.331281766, 8)
})

test('blast radius of the agent', () => {
  const { blast_radius: blast } = analyzed({ blast_radius_of: idOf('A') })
  const reached = new Map(blast?.reached.map((one) => [one.node.name, one.probability]))
  expect(reached.get('T')).toBeCloseTo(0.95, 10)
  expect(reached.get('V')).toBeCloseTo(0.2, 10)
  expect(reached.get('D')).toBeCloseTo(0.88255, 10)
  expect(reached.has('W')).toBe(false)
})

test('the two changes are a guardrail at the agent and the way over the host, better than any other pair', () => {
  const { two_changes: two, fixes } = analyzed()
  expect(two?.changes.map(({ control, asset }) => `${control} ${asset.name}`).sort()).toEqual([
    'injection_guardrail A',
    'least_privilege D',
  ])
  expect(two?.reach_before).toBeCloseTo(0.445987016, 9)
  expect(two?.reach_after).toBeLessThan(Math.min(...fixes.map(({ reach_after: after }) => after)))
})

test('a measured guardrail moves the edge, with its interval, and its efficacy is that of the fix', () => {
  const measured = { blocked: 90, passed: 10, low: 0.825, high: 0.945, from: '', to: '' }
  const guardrail = { control_id: 'g', efficacy: 0.9, coverage: 1, techniques: ['AML.T0051'], measured }
  const state = {
    nodes: smallEstate.nodes.map((one) => (one.name === 'A' ? node('A', { controls: [guardrail] }) : one)),
    edges: smallEstate.edges.map((one, place) => (place === 4 ? edge(4, { p_override: null }) : one)),
  }
  const { reach, paths } = analyzed({}, state)
  expect(reach[0]?.probability).toBeCloseTo(0.213798702, 8)
  expect(reach[0]?.measured?.low).toBeLessThan(0.2138)
  expect(reach[0]?.measured?.high).toBeGreaterThan(0.2138)
  const step = paths.flatMap(({ steps }) => steps).find(({ to }) => to.name === 'A')
  expect(step).toMatchObject({ basis: 'measured', technique: 'AML.T0051.001' })
  expect(step?.probability).toBeCloseTo(0.04, 10)
  expect(step?.interval.high).toBeCloseTo(0.4 * 0.175, 10)
})

test('relations that count only together need all of them', () => {
  const state = {
    nodes: smallEstate.nodes,
    edges: smallEstate.edges.map((one, place) => (place === 6 || place === 8 ? { ...one, requires: 'both' } : one)),
  }
  const { reach, paths } = analyzed({}, state)
  // Host alone 0.188; with tool and secret together 0.9 · 0.4 · 0.95 · 0.9 · 0.2 · 0.95.
  const together = 0.36 * 0.95 * 0.9 * 0.2 * 0.95
  expect(reach[0]?.probability).toBeCloseTo(1 - (1 - 0.188) * (1 - together), 8)
  expect(paths.some((path) => path.together)).toBe(true)
})

test('equal seeds give equal results, and effort and steps order the paths in their own ways', () => {
  expect(analyzed()).toEqual(analyzed())
  const hops = analyzed({ order_by: 'steps', k: 1 }).paths
  expect(hops.map(({ steps }) => steps.length)).toEqual([2])
  const effort = analyzed({ order_by: 'effort', k: 1 }).paths
  expect(effort[0]?.hours).toBeLessThan(hops[0]?.hours ?? 0)
})

test('the risk of a target is the vulnerability node of FAIR', () => {
  const [risk] = analyzed().risk
  expect(risk?.vulnerability).toMatchObject({ type: 'pert' })
  expect(risk?.vulnerability.mode).toBeCloseTo(0.445987016, 9)
})
