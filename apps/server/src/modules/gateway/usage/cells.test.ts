import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CountedCall, cellsOf } from './cells.ts'

const call = (over: Partial<CountedCall> = {}): CountedCall => ({
  hour: '2026-03-01T10:00:00.000Z',
  offline: false,
  provider: 'acme',
  model: 'm',
  route: null,
  user_id: 'u',
  key_id: null,
  agent_id: null,
  decision: 'allowed',
  error_code: null,
  tags: [],
  policies: [{ id: 'p', version: 1, sha256: 'x' }],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    cached_tokens: 2,
    reasoning_tokens: 0,
    usage_source: 'upstream',
  },
  cost: { amount: '0.1', currency: 'USD', status: 'priced', price_id: 'x', saved: null },
  timings: { pipeline_ms: 1, upstream_ms: 9, ttft_ms: null, total_ms: 10 },
  steps: [{ n: 1, name: 'admission', decision: 'allow', ms: 0.25, budget_ms: 1, failed: false, findings: 0 }],
  fail_open: [],
  cache: 'off',
  ...over,
})

test('calls that are alike are one cell, and its sums are exact', () => {
  const [cell, ...rest] = cellsOf([call(), call(), call({ tags: [] })])
  expect(rest).toEqual([])
  expect(cell).toMatchObject({
    requests: 3,
    input_tokens: 30,
    cached_tokens: 6,
    output_tokens: 15,
    cost_nano: '300000000',
    unpriced_requests: 0,
  })
  expect(cell?.tallies['step:admission']).toBe(750)
})

test('the order of tags and policies makes no other cell; another tag, hour or currency does', () => {
  const tags = cellsOf([call({ tags: ['a', 'b'] }), call({ tags: ['b', 'a', 'a'] })])
  expect(tags).toHaveLength(1)
  const others = cellsOf([
    call(),
    call({ tags: ['a'] }),
    call({ hour: '2026-03-01T11:00:00.000Z' }),
    call({ cost: { amount: '1', currency: 'EUR', status: 'priced' } }),
    call({ decision: 'blocked', error_code: 'GW-003' }),
  ])
  expect(others).toHaveLength(5)
})

test('a call without a price is counted and adds nothing', () => {
  const [cell] = cellsOf([call({ cost: { amount: null, currency: null, status: 'unpriced' } })])
  expect(cell).toMatchObject({ cost_nano: '0', unpriced_requests: 1, currency: null })
})

test('no call is lost or counted twice, however they are mixed', () => {
  const calls = fc.array(
    fc.record({
      model: fc.constantFrom('a', 'b'),
      tags: fc.subarray(['x', 'y', 'z']),
      decision: fc.constantFrom('allowed' as const, 'blocked' as const),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(calls, (overs) => {
      const cells = cellsOf(overs.map((over) => call(over)))
      expect(cells.reduce((sum, { requests }) => sum + requests, 0)).toBe(overs.length)
      expect(cells.reduce((sum, cell) => sum + BigInt(cell.cost_nano), 0n)).toBe(BigInt(overs.length) * 100_000_000n)
      expect(new Set(cells.map(({ key }) => key)).size).toBe(cells.length)
    }),
  )
})
