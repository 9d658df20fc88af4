import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventScore, type SignalEvent, type Watch } from './events-penalty.ts'
import { instant } from './instant.ts'
import { daysAgo, NOW } from './score.arbitraries.ts'

const watch = (parts: Partial<Watch> = {}): Watch => ({ until: instant(NOW), pauses: [], halfLifeDays: 14, ...parts })
const critical = (closed_at: string | null = null): SignalEvent => ({
  severity: 'critical',
  at: daysAgo(90),
  closed_at,
})

test('no event is the full score', () => {
  expect(eventScore([], watch())).toBe(10_000)
})

test('one open critical event leaves 100 / sqrt 2, however old it is', () => {
  expect(eventScore([critical()], watch())).toBe(7071)
})

test('closed one half-life ago, it leaves 100 * 2^(-1/4)', () => {
  expect(eventScore([critical(daysAgo(14))], watch())).toBe(8409)
})

// P = 5 + 2 + 0.5 = 7.5; 100 * 2^(-0.375) = 77.1105.
test('severities weigh 10, 5, 2 and 0.5', () => {
  const events = (['high', 'medium', 'low'] as const).map((severity) => ({ severity, at: daysAgo(1) }))
  expect(eventScore(events, watch())).toBe(7711)
})

test('events do not age while nobody watches', () => {
  const stopped = instant(daysAgo(14))
  expect(eventScore([critical(daysAgo(14))], watch({ until: stopped }))).toBe(7071)
  expect(eventScore([critical(daysAgo(14))], watch({ until: null }))).toBe(7071)
})

test('a pause counts once, also when it is reported twice or in part', () => {
  const pauses = [
    { from: daysAgo(12), to: daysAgo(6) },
    { from: daysAgo(20), to: daysAgo(8) },
    { from: daysAgo(10), to: daysAgo(9) },
  ]
  const resumed = eventScore([critical(daysAgo(20))], watch({ pauses }))
  expect(resumed).toBe(eventScore([critical(daysAgo(6))], watch()))
})

test('a pause before the closing changes nothing', () => {
  const pauses = [{ from: daysAgo(60), to: daysAgo(30) }]
  expect(eventScore([critical(daysAgo(14))], watch({ pauses }))).toBe(8409)
})

test('closed events add up to the same score in any order', () => {
  const closedDays = fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { minLength: 2, maxLength: 50 })
  fc.assert(
    fc.property(closedDays, (days) => {
      const events = days.map((day) => critical(daysAgo(day)))
      expect(eventScore(events.toReversed(), watch())).toBe(eventScore(events, watch()))
    }),
  )
})
