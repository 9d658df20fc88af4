import { describe, expect, test } from 'vitest'
import { fingerprintOf } from './declared/fingerprint.ts'
import { alertStatuses, movesOf } from './declared/words.ts'
import { mergedHits, withHits } from './merge.ts'
import { breachesBy, type Clocked, dueTimes, nextDue } from './sla.ts'

test('moves are those of triage', () => {
  const moves = alertStatuses.flatMap((from) => movesOf(from).map((to) => `${from} ${to}`))
  expect(moves).toEqual([
    'new triaged',
    'new suppressed',
    'triaged in_progress',
    'in_progress resolved',
    'resolved closed',
    'resolved in_progress',
    'closed in_progress',
  ])
})

test('a fingerprint is of the rule and the values of the group, in any order', () => {
  const one = fingerprintOf('r', { a: 1, b: 'x' })
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(fingerprintOf('r', { b: 'x', a: 1 })).toBe(one)
  expect(new Set([one, fingerprintOf('s', { a: 1, b: 'x' }), fingerprintOf('r', { a: '1', b: 'x' })]).size).toBe(3)
})

const opened = '2026-01-01T00:00:00.000Z'

describe('timers', () => {
  test.each([
    ['critical', '2026-01-01T00:15:00.000Z', '2026-01-01T04:00:00.000Z'],
    ['high', '2026-01-01T01:00:00.000Z', '2026-01-02T00:00:00.000Z'],
    ['medium', '2026-01-01T08:00:00.000Z', '2026-01-04T00:00:00.000Z'],
    ['low', '2026-01-04T00:00:00.000Z', '2026-01-15T00:00:00.000Z'],
    ['info', null, null],
  ] as const)('of %s', (severity, ack, resolve) => {
    expect(dueTimes(severity, opened)).toEqual({ ack_due: ack, resolve_due: resolve })
  })

  const alert: Clocked = {
    ...{ status: 'new', acknowledged_at: null, resolved_at: null, breached: [], suppressed_until: null },
    ...dueTimes('critical', opened),
  }

  test('run out one after the other, and each is recorded once', () => {
    expect(nextDue(alert)).toBe('2026-01-01T00:15:00.000Z')
    expect(breachesBy(alert, '2026-01-01T00:14:59.999Z')).toEqual([])
    expect(breachesBy(alert, '2026-01-01T05:00:00.000Z').map(({ timer }) => timer)).toEqual(['acknowledge', 'resolve'])
    const late: Clocked = { ...alert, breached: ['acknowledge'] }
    expect(nextDue(late)).toBe('2026-01-01T04:00:00.000Z')
    expect(nextDue({ ...late, breached: ['acknowledge', 'resolve'] })).toBeNull()
  })

  test('of an acknowledged alert leave the time to resolve', () => {
    expect(nextDue({ ...alert, status: 'triaged', acknowledged_at: opened })).toBe('2026-01-01T04:00:00.000Z')
  })

  test('stand still while an alert is resolved, and it closes after seven days', () => {
    const resolved: Clocked = { ...alert, status: 'resolved', resolved_at: opened }
    expect(breachesBy(resolved, '2027-01-01T00:00:00.000Z')).toEqual([])
    expect(nextDue(resolved)).toBe('2026-01-08T00:00:00.000Z')
    expect(dueTimes('critical', opened, 3_600_000).resolve_due).toBe('2026-01-01T05:00:00.000Z')
  })

  test('a suppressed alert ends with its suppression', () => {
    expect(nextDue({ ...alert, status: 'suppressed', suppressed_until: '2026-02-01T00:00:00.000Z' })).toBe(
      '2026-02-01T00:00:00.000Z',
    )
    expect(nextDue({ ...alert, status: 'closed' })).toBeNull()
  })
})

describe('hits', () => {
  const evidence = (n: number) => ({
    ...{ id: `e${n}`, source: 'x', request_id: `req_${n}`, summary: '' },
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
  })
  const hits = (from: number, count: number) => {
    const list = Array.from({ length: count }, (_, n) => evidence(from + n))
    const entities = [{ type: 'user', id: `u${from}`, name: null }]
    return { count, entities, evidence: list, firstAt: list[0]?.at ?? '', lastAt: list.at(-1)?.at ?? '' }
  }

  test('add up, and the newest fifty are kept as evidence', () => {
    const alert = withHits(mergedHits(hits(0, 40)), hits(40, 40))
    expect(alert).toMatchObject({ count: 80, first_seen: evidence(0).at, last_seen: evidence(79).at })
    expect(alert.evidence).toHaveLength(50)
    expect(alert.evidence.at(-1)?.id).toBe('e79')
    expect(alert.request_ids[0]).toBe('req_30')
    expect(alert.entity_keys).toEqual(['user:u0', 'user:u40'])
  })

  test('of one event twice are one piece of evidence', () => {
    expect(withHits(mergedHits(hits(0, 3)), hits(0, 3)).evidence).toHaveLength(3)
  })
})
