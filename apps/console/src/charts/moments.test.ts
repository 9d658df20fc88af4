import { expect, test } from 'vitest'
import { byCount, byMinute, sayMoments } from './moments.ts'

const now = Date.parse('2026-11-27T12:00:30Z')

test('calls are counted in their minutes, and older ones in none', () => {
  const calls = [
    { created_at: '2026-11-27T12:00:01Z', decision: 'blocked' },
    { created_at: '2026-11-27T11:59:59Z', decision: 'redacted' },
    { created_at: '2026-11-27T11:59:00Z', decision: 'allowed' },
    { created_at: '2026-11-27T11:57:59Z', decision: 'allowed' },
  ]
  const moments = byMinute(calls, now, 3)
  expect(moments.at.map((at) => new Date(at * 1000).toISOString().slice(11, 16))).toEqual(['11:58', '11:59', '12:00'])
  expect(moments).toMatchObject({ allowed: [0, 2, 0], blocked: [0, 0, 1] })
  expect(sayMoments(moments, 'an hour')).toBe('3 calls in an hour: 2 went through, 1 blocked (33 %).')
})

test('counts of several series add up in their hour', () => {
  const range = { from: now - 2 * 3_600_000, to: now, step: 3_600 }
  const series = [
    { at: '2026-11-27T11:00:00Z', requests: 5, blocked: 2 },
    { at: '2026-11-27T11:00:00Z', requests: 1, blocked: 0 },
    { at: '2026-11-20T11:00:00Z', requests: 9, blocked: 9 },
  ]
  expect(byCount(series, range)).toMatchObject({ allowed: [0, 4, 0], blocked: [0, 2, 0] })
})
