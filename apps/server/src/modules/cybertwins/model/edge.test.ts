import { expect, test } from 'vitest'
import { edge, node } from '../testing/small-estate.ts'
import { actsOn, estimateEdge } from './edge.ts'
import { buildNetwork } from './network.ts'
import type { TwinNode, TwinVulnerability } from './state.ts'

const attacker = { profile: 'criminal', horizonDays: 30 } as const
const vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
const vulnerability = (over: Partial<TwinVulnerability> = {}): TwinVulnerability => ({
  ...{ id: 'CVE-2024-1', cvss_vector: vector, epss: 0.2, kev: false, vex_state: 'exploitable', fix: null },
  ...over,
})
const estimate = (place: number, target: TwinNode, vulnerabilities: readonly TwinVulnerability[] = []) =>
  estimateEdge(edge(place, { p_override: null }), { source: node('I'), target, vulnerabilities }, attacker)

test('a vulnerability adds to the way over the network, by EPSS, and by KEV for certain', () => {
  const plain = estimate(0, node('W'))
  expect(plain).toMatchObject({ basis: 'default', technique: 'T1210' })
  expect(plain.p).toBeCloseTo(0.6 * 0.3, 12)
  const open = estimate(0, node('W'), [vulnerability()])
  expect(open.basis).toBe('vulnerabilities')
  expect(open.p).toBeCloseTo(1 - (1 - 0.18) * (1 - 0.2 * 0.9), 12)
  expect(open.patched).toBeCloseTo(0.18, 12)
  const known = estimate(0, node('W'), [vulnerability({ kev: true })])
  expect(known.p).toBeCloseTo(1 - (1 - 0.18) * (1 - 0.9), 12)
})

test.each(['not_affected', 'false_positive', 'resolved', 'resolved_with_pedigree'] as const)(
  'a vulnerability that VEX calls %s does not count',
  (state) => {
    expect(estimate(0, node('W'), [vulnerability({ vex_state: state })]).p).toBeCloseTo(0.18, 12)
  },
)

test('an override is the probability, whatever controls there are', () => {
  const controls = [{ control_id: 'x', efficacy: 1, coverage: 1, techniques: null, measured: null }]
  const ends = { source: node('I'), target: node('W', { controls }), vulnerabilities: [] }
  expect(estimateEdge(edge(0), ends, attacker).p).toBe(0.3)
  expect(estimate(0, node('W', { controls })).p).toBe(0)
})

test('a control acts on its techniques and their sub-techniques', () => {
  expect(actsOn({ techniques: ['AML.T0051'] }, 'AML.T0051.001')).toBe(true)
  expect(actsOn({ techniques: ['AML.T0051.001'] }, 'AML.T0051')).toBe(false)
  expect(actsOn({ techniques: ['T105'] }, 'T1059')).toBe(false)
  expect(actsOn({ techniques: null }, 'T1059')).toBe(true)
})

test('a host has the vulnerabilities of the software that runs on it, however deep', () => {
  const software = (id: string, vulnerabilities: readonly TwinVulnerability[] = []): TwinNode =>
    node('W', { id, kind: 'software', vulnerabilities })
  const [app, library] = ['10000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000002'] as const
  const host = node('H')
  const state = {
    nodes: [node('I'), host, software(app), software(library, [vulnerability({ kev: true })])],
    edges: [
      edge(9, { p_override: null }),
      edge(9, { id: 'a', from: app, to: host.id, kind: 'runs_on' as const, p_override: null }),
      edge(9, { id: 'b', from: library, to: app, kind: 'depends_on' as const, p_override: null }),
    ],
  }
  const { edges } = buildNetwork({ state, attacker, sourceIds: null })
  expect(edges[0]?.estimate?.basis).toBe('vulnerabilities')
})
