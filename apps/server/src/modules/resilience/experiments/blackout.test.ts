import { expect, test } from 'vitest'
import { blackoutWindows } from '../declared/settings.ts'
import { blackoutIn } from './blackout.ts'

const at = (iso: string) => Date.parse(iso)
const during = (windows: Parameters<typeof blackoutIn>[0], from: string, to: string) =>
  blackoutIn(windows, at(from), at(to))?.name ?? null

const freeze = { name: 'Year end', starts_at: '2026-12-20T00:00:00Z', ends_at: '2027-01-03T00:00:00Z' }
const night = { name: 'Batch', days: ['fri' as const], from: '22:00', to: '04:00', time_zone: 'Europe/Berlin' }
const office = { name: 'Office', days: ['mon' as const], from: '09:00', to: '17:00', time_zone: 'America/New_York' }

test.each<[string, string, string | null]>([
  ['2026-12-19T22:00:00Z', '2026-12-19T23:59:59Z', null],
  ['2026-12-19T23:30:00Z', '2026-12-20T00:00:00Z', 'Year end'],
  ['2027-01-02T23:59:00Z', '2027-01-03T00:30:00Z', 'Year end'],
  ['2027-01-03T00:00:00Z', '2027-01-03T00:30:00Z', null],
])('one period: from %s to %s meets %s', (from, to, wanted) => {
  expect(during([freeze], from, to)).toBe(wanted)
})

test.each<[string, string, string | null]>([
  // A Friday in winter: 22:00 in Berlin is 21:00 UTC.
  ['2026-11-27T20:00:00Z', '2026-11-27T20:59:00Z', null],
  ['2026-11-27T20:30:00Z', '2026-11-27T21:10:00Z', 'Batch'],
  ['2026-11-28T02:30:00Z', '2026-11-28T02:40:00Z', 'Batch'],
  ['2026-11-28T03:00:00Z', '2026-11-28T03:30:00Z', null],
  // In summer it is 20:00 UTC.
  ['2026-07-31T20:00:00Z', '2026-07-31T20:01:00Z', 'Batch'],
  ['2026-11-26T21:30:00Z', '2026-11-26T21:40:00Z', null],
])('over midnight of a weekday: from %s to %s meets %s', (from, to, wanted) => {
  expect(during([office, night], from, to)).toBe(wanted)
})

test('a window without an hour, of an unknown zone or that ends before it starts is refused', () => {
  const told = (window: object) => blackoutWindows.check([window as never], () => undefined as never)
  expect(told({ ...night, to: '22:00' })).toContain('is empty')
  expect(told({ ...night, time_zone: 'Mars/Olympus' })).toContain('no time zone')
  expect(told({ ...freeze, ends_at: freeze.starts_at })).toContain('ends before it starts')
  expect(blackoutWindows.check([freeze, night, office], () => undefined as never)).toBeNull()
})
