import { describe, expect, test } from 'vitest'
import { Aborter } from '../../../kernel/base/abort.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import { protectedPoint, protectedTarget } from './protected.ts'
import { decide, type Hit, type LiveRules } from './rules.ts'
import { fraction } from './selection.ts'

const constant = (value: number) => ({ type: 'constant', value }) as const
const latency: FaultBody = { seam: 'upstream', kind: 'latency', targets: ['local/*'], delay_ms: constant(300) }

function rulesOf(over: Partial<LiveRules> = {}) {
  const hits: Hit[] = []
  const rules: LiveRules = {
    ...{ experimentId: 'e', tenantId: 'a', faults: [latency], percentage: 100, seed: 's', requestPrefix: null },
    ...{ leaseUntilMs: 5000, allowance: 1_000_000, release: new Aborter(), hit: (hit) => hits.push(hit) },
    ...over,
  }
  return { rules, hits }
}
const point = (requestId: string, more: object = {}) => ({ tenantId: 'a', target: 'local/m', requestId, ...more })

describe('an operation is hit', () => {
  test('by tenant and target, as its request is chosen', () => {
    const { rules, hits } = rulesOf()
    expect(decide(rules, 'upstream', point('1'), 0)).toMatchObject({ delayMs: 300 })
    expect(decide(rules, 'upstream', point('1', { tenantId: 'b' }), 0)).toBeNull()
    expect(decide(rules, 'upstream', point('1', { target: 'other/m' }), 0)).toBeNull()
    expect(decide(rules, 'cache', point('1'), 0)).toBeNull()
    expect(hits).toEqual([{ seam: 'upstream', target: 'local/m', requestId: '1', kind: 'latency', delayMs: 300 }])
  })

  test('never after the lease of its rule, and never more often than the rule may', () => {
    const { rules, hits } = rulesOf({ allowance: 3 })
    expect(decide(rules, 'upstream', point('0'), 5000)).toBeNull()
    for (let i = 0; i < 10; i += 1) decide(rules, 'upstream', point(String(i)), 4999)
    expect(hits).toHaveLength(3)
  })

  test('in the share that was asked for: 10 per cent of 5,000 within a tenth, of another tenant none of 10,000', () => {
    const { rules, hits } = rulesOf({ percentage: 10 })
    for (let i = 0; i < 5000; i += 1) decide(rules, 'upstream', point(`req-${i}`), 0)
    expect(Math.abs(hits.length / 5000 - 0.1)).toBeLessThan(0.01)
    const before = hits.length
    for (let i = 0; i < 10_000; i += 1) decide(rules, 'upstream', point(`req-${i}`, { tenantId: 'b' }), 0)
    expect(hits).toHaveLength(before)
  })

  test('with the same fate at every attempt of a request', () => {
    const { rules } = rulesOf({ percentage: 50 })
    for (let i = 0; i < 200; i += 1) {
      const fates = [1, 2, 3].map((at) => decide(rules, 'upstream', point(`req-${i}`), at) !== null)
      expect(new Set(fates).size).toBe(1)
    }
  })
})

test.each<[FaultBody['kind'], Partial<FaultBody>, object]>([
  ['rate_limit', { retry_after_seconds: 20 }, { failure: { kind: 'rate_limited', status: 429, retryAfterMs: 20_000 } }],
  ['error', { status: 529 }, { failure: { kind: 'server_error', status: 529 } }],
  ['unavailable', {}, { failure: { kind: 'unavailable' } }],
  ['timeout', {}, { failure: { kind: 'timeout' } }],
  ['blackhole', {}, { delayMs: 600_000, failure: { kind: 'timeout' } }],
  ['reset', { after_pieces: 5 }, { answer: { resetAfter: 5 } }],
  ['malformed', { after_pieces: 3 }, { answer: { malformedAfter: 3 } }],
  ['first_token_delay', { delay_ms: constant(70) }, { answer: { firstPieceDelayMs: 70 } }],
  ['duplicate', {}, { twice: true }],
])('a fault of kind %s', (kind, more, wanted) => {
  const { rules } = rulesOf({ faults: [{ seam: 'upstream', kind, ...more }] })
  expect(decide(rules, 'upstream', point('1'), 0)).toMatchObject(wanted)
})

test('a rule of synthetic calls hits requests of its own alone', () => {
  const { rules } = rulesOf({ requestPrefix: 'chaos_e_' })
  expect(decide(rules, 'upstream', point('chaos_e_7'), 0)).not.toBeNull()
  for (const id of ['req_7', 'chaos_f_7', '']) expect(decide(rules, 'upstream', point(id), 0)).toBeNull()
  expect(decide(rules, 'upstream', { tenantId: 'a', target: 'local/m' }, 0)).toBeNull()
})

test('an event that a fault holds back is counted once, however often it is looked at', () => {
  const faults: FaultBody[] = [{ seam: 'bus', kind: 'unavailable' }]
  const { rules, hits } = rulesOf({ faults, allowance: 5 })
  const event = point('event-1', { target: 'risk.threat_events' })
  for (const again of [false, true, true]) expect(decide(rules, 'bus', { ...event, again }, 0)).not.toBeNull()
  expect([hits.length, rules.allowance]).toEqual([1, 4])
})

test('the choice is spread evenly, also over neighboring names', () => {
  const bins = new Array(10).fill(0)
  for (let i = 0; i < 100_000; i += 1) bins[Math.floor(fraction('seed', String(i)) * 10)] += 1
  for (const count of bins) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  expect(fraction('a', 'x')).not.toBe(fraction('b', 'x'))
})

describe('a protected operation is never hit, whatever a rule says', () => {
  test.each([
    ['database', '/api/v1/iam/users'],
    ['database', '/api/v1/auth/login'],
    ['database', '/api/v1/admin/audit-logs'],
    ['database', '/api/v1/aegis/alerts'],
    ['database', '/api/v1/gateway/kill-switches'],
    ['database', '/api/v1/resilience/chaos/experiments'],
    ['database', '/api/v1/compliance/evidence'],
    ['job', 'iam.end_expired'],
    ['job', 'resilience.experiment'],
    ['job', 'aegis.kill_switch.expire'],
    ['job', 'audit.seal'],
    ['bus', 'gateway.audit'],
    ['bus', 'aegis.detection'],
    ['bus', 'resilience.timed_restores'],
    ['http_out', 'iam.signals'],
  ] as const)('%s %s', (seam, name) => {
    expect(protectedTarget(seam, name)).toBe(true)
    const faults: FaultBody[] = [{ seam, kind: seam === 'job' ? 'error' : 'unavailable' }]
    const { rules, hits } = rulesOf({ faults })
    const at = seam === 'database' ? point('1', { target: 'transaction', route: name }) : point('1', { target: name })
    expect(decide(rules, seam, at, 0)).toBeNull()
    expect(hits).toEqual([])
  })

  test('nor is a transaction that no route opened', () => {
    expect(protectedPoint('database', { tenantId: 'a', target: 'transaction', route: null })).toBe(true)
    expect(protectedPoint('database', { tenantId: 'a', target: 'read' })).toBe(true)
    expect(protectedPoint('database', { tenantId: 'a', target: 'transaction', route: '/api/v1/risk/register' })).toBe(
      false,
    )
  })
})
