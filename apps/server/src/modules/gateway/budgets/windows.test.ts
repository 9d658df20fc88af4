import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketEnds, type WindowRule, windowAt } from './windows.ts'

const calendar = (kind: 'day' | 'week' | 'month', timeZone = 'UTC'): WindowRule => ({ kind, hours: null, timeZone })
const iso = (at: number): string => new Date(at).toISOString()
const borders = (rule: WindowRule, at: string): readonly [string, string] => {
  const { since, until } = windowAt(rule, Date.parse(at))
  return [iso(since), iso(until)]
}

describe('a calendar window', () => {
  test('is the day, the week from Monday, the month of its zone', () => {
    const at = '2026-03-18T10:00:00.000Z'
    expect(borders(calendar('day'), at)).toEqual(['2026-03-18T00:00:00.000Z', '2026-03-19T00:00:00.000Z'])
    expect(borders(calendar('week'), at)).toEqual(['2026-03-16T00:00:00.000Z', '2026-03-23T00:00:00.000Z'])
    expect(borders(calendar('month'), at)).toEqual(['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'])
    expect(borders(calendar('day', 'Asia/Kolkata'), at)).toEqual([
      '2026-03-17T18:30:00.000Z',
      '2026-03-18T18:30:00.000Z',
    ])
  })

  test('is 23 hours long when clocks go forward and 25 when they go back', () => {
    // Europe/Berlin: +1 to +2 on 29 March 2026, back on 25 October.
    expect(borders(calendar('day', 'Europe/Berlin'), '2026-03-29T12:00:00.000Z')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect(borders(calendar('day', 'Europe/Berlin'), '2026-10-25T12:00:00.000Z')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
    expect(borders(calendar('month', 'America/New_York'), '2026-03-20T00:00:00.000Z')).toEqual([
      '2026-03-01T05:00:00.000Z',
      '2026-04-01T04:00:00.000Z',
    ])
  })

  test('begins at one where there is no midnight, and once where there are two', () => {
    // Africa/Cairo goes forward at midnight (24 April 2026), America/Havana back at one to midnight (1 November 2026).
    expect(borders(calendar('day', 'Africa/Cairo'), '2026-04-24T12:00:00.000Z')[0]).toBe('2026-04-23T22:00:00.000Z')
    expect(borders(calendar('day', 'America/Havana'), '2026-11-01T12:00:00.000Z')).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ])
  })

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/St_Johns',
    'America/Sao_Paulo',
  ]

  test('holds its instant and ends where the next one begins, in every zone', () => {
    const instants = fc.integer({ min: Date.parse('2005-01-01T00:00:00Z'), max: Date.parse('2035-01-01T00:00:00Z') })
    const kinds = fc.constantFrom('day' as const, 'week' as const, 'month' as const)
    fc.assert(
      fc.property(fc.constantFrom(...zones), kinds, instants, (zone, kind, at) => {
        const rule = calendar(kind, zone)
        const window = windowAt(rule, at)
        expect(window.since <= at && at < window.until).toBe(true)
        expect(windowAt(rule, window.until).since).toBe(window.until)
        expect(windowAt(rule, window.since)).toEqual(window)
        expect(windowAt(rule, window.until - 1)).toEqual(window)
      }),
    )
  })
})

describe('a rolling window', () => {
  const rule: WindowRule = { kind: 'rolling', hours: 1, timeZone: 'UTC' }

  test('counts what is at most its length and one slot old', () => {
    const at = Date.parse('2026-03-18T10:30:30.000Z')
    const window = windowAt(rule, at)
    expect(iso(window.bucket)).toBe('2026-03-18T10:30:00.000Z')
    expect(iso(window.since)).toBe('2026-03-18T09:30:00.000Z')
    expect(iso(bucketEnds(rule, window, window.since))).toBe('2026-03-18T10:31:00.000Z')
  })

  test('never forgets what is younger than its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 3_600_000 }), (spentAt, age) => {
        expect(windowAt(rule, spentAt).bucket).toBeGreaterThanOrEqual(windowAt(rule, spentAt + age).since)
      }),
    )
  })
})
