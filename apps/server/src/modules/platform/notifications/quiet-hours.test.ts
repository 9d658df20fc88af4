import { expect, test } from 'vitest'
import { isQuiet, sendableAt } from './quiet-hours.ts'

const at = (iso: string) => Date.parse(iso)
const end = (zone: string, [start, stop]: readonly [string, string], iso: string) =>
  new Date(sendableAt({ start, end: stop, time_zone: zone }, at(iso))).toISOString()
const night = ['22:00', '07:00'] as const

test.each([
  ['Europe/Berlin', night, '2026-01-10T22:30:00.000Z', '2026-01-11T06:00:00.000Z', 'an ordinary night'],
  ['Europe/Berlin', night, '2026-03-28T22:30:00.000Z', '2026-03-29T05:00:00.000Z', 'the night that is an hour shorter'],
  ['Europe/Berlin', night, '2026-10-24T21:30:00.000Z', '2026-10-25T06:00:00.000Z', 'the night that is an hour longer'],
  ['America/New_York', night, '2026-03-08T04:00:00.000Z', '2026-03-08T11:00:00.000Z', 'spring in New York'],
  ['America/New_York', night, '2026-11-01T03:00:00.000Z', '2026-11-01T12:00:00.000Z', 'autumn in New York'],
  ['Australia/Lord_Howe', night, '2026-10-03T12:00:00.000Z', '2026-10-03T20:00:00.000Z', 'half an hour forward'],
  ['Australia/Lord_Howe', night, '2026-04-04T12:00:00.000Z', '2026-04-04T20:30:00.000Z', 'half an hour back'],
  ['Europe/Berlin', ['01:00', '02:30'], '2026-03-29T00:30:00.000Z', '2026-03-29T01:00:00.000Z', 'an end in the gap'],
  ['UTC', ['12:00', '13:00'], '2026-01-10T12:59:30.000Z', '2026-01-10T13:00:00.000Z', 'the last half minute'],
] as const)('%s %j from %s waits until %s: %s', (zone, hours, from, until, _why) => {
  expect(end(zone, hours, from)).toBe(until)
})

test('outside of the quiet hours nothing waits, and their end is outside', () => {
  const hours = { start: '22:00', end: '07:00', time_zone: 'UTC' }
  expect(sendableAt(hours, at('2026-01-10T07:00:00.000Z'))).toBe(at('2026-01-10T07:00:00.000Z'))
  expect(isQuiet(hours, at('2026-01-10T22:00:00.000Z'))).toBe(true)
  expect(sendableAt(null, 5)).toBe(5)
})
