import { expect, test } from 'vitest'
import type { FaultBody, Probe } from '../declared/scenario-schema.ts'
import { faultsOfScenario } from './check-scenario.ts'
import { library } from './library.ts'

const told = (faults: readonly FaultBody[], probes: readonly Probe[] = []) =>
  faultsOfScenario({ faults: [...faults], hypothesis: { title: 'x', probes: [...probes] } }).map(
    ({ pointer }) => pointer,
  )

test('every scenario of the library is valid, and its name is its own', () => {
  for (const { faults } of library) expect(told(faults)).toEqual([])
  expect(new Set(library.map(({ name }) => name)).size).toBe(library.length)
})

test('faults that a seam cannot make, protected targets and laws without a meaning are named', () => {
  const negative = { type: 'uniform', low: 5, high: 1 } as const
  expect(
    told([
      { seam: 'blob', kind: 'rate_limit' },
      { seam: 'job', kind: 'error', targets: ['risk.upkeep', 'iam.end_expired'] },
      { seam: 'upstream', kind: 'latency', delay_ms: negative },
    ]),
  ).toEqual(['/faults/0/kind', '/faults/1/targets/1', expect.stringContaining('/faults/2/delay_ms')])
})

test('probes name what they read, and their tolerances can be held', () => {
  const probe = (over: Partial<Probe>): Probe => ({
    ...{ name: 'x', kind: 'http', url: 'https://example.com', tolerance: { type: 'max', value: 1 } },
    ...over,
  })
  const { url: _url, ...nowhere } = probe({})
  expect(
    told(
      [],
      [
        probe({}),
        nowhere,
        probe({ tolerance: { type: 'range', low: 2, high: 1 } }),
        probe({ tolerance: { type: 'regex', pattern: '(?=x)' } }),
        probe({ tolerance: { type: 'jsonpath', path: '$..x' } }),
      ],
    ),
  ).toEqual([
    '/hypothesis/probes/1/url',
    '/hypothesis/probes/2/tolerance/low',
    '/hypothesis/probes/3/tolerance/pattern',
    '/hypothesis/probes/4/tolerance/path',
  ])
})
