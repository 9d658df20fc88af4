import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProblemError } from '../errors/problem.ts'
import { firingsOf } from './missed-runs.ts'
import { dueRuns, nextRun, nextRuns, requireTiming, type Timing } from './timetable.ts'

const runs = (cron: string, timeZone: string, after: string, count: number): readonly string[] =>
  nextRuns({ cron, timeZone }, Date.parse(after), count).map((run) => new Date(run).toISOString().slice(5, 16))

describe('a time that a clock change skips is made up for at the first valid time of the same day, once', () => {
  test.each([
    // 02:00 becomes 03:00.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['03-29T01:00', '03-30T00:00', '03-30T00:30']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T01:00Z', ['03-07T07:30', '03-08T07:00', '03-09T06:30']],
    // 02:00 becomes 02:30.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T12:00Z', ['10-02T15:45', '10-03T15:30', '10-04T15:15']],
  ])('%s in %s', (cron, zone, after, expected) => {
    expect(runs(cron, zone, after, expected.length)).toEqual(expected)
  })
})

describe('a time that a clock change repeats runs once, at the first of the two', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T01:00Z', ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
    ['0,30 1 * * *', 'America/New_York', '2026-11-01T01:00Z', ['11-01T05:00', '11-01T05:30', '11-02T06:00']],
    // 02:00 becomes 01:30.
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T12:00Z', ['04-03T14:45', '04-04T14:45', '04-05T15:15']],
  ])('%s in %s', (cron, zone, after, expected) => {
    expect(runs(cron, zone, after, expected.length)).toEqual(expected)
  })
})

describe('an expression that repeats within the day follows real time through both changes', () => {
  test.each([
    ['30 * * * *', 'Europe/Berlin', '2026-03-28T23:45Z', ['03-29T00:30', '03-29T01:30', '03-29T02:30']],
    ['30 * * * *', 'Europe/Berlin', '2026-10-24T23:45Z', ['10-25T00:30', '10-25T01:30', '10-25T02:30']],
    ['0 * * * *', 'America/New_York', '2026-11-01T04:30Z', ['11-01T05:00', '11-01T06:00', '11-01T07:00']],
    ['*/30 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:15Z', ['04-04T14:30', '04-04T15:00', '04-04T15:30']],
    ['*/30 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:15Z', ['10-03T15:30', '10-03T16:00', '10-03T16:30']],
  ])('%s in %s', (cron, zone, after, expected) => {
    expect(runs(cron, zone, after, expected.length)).toEqual(expected)
  })
})

test('on every day of two years, in every zone with its changes, a daily schedule runs once', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca')
  const minutes = fc.integer({ min: 0, max: 1439 })
  const days = fc.integer({ min: 0, max: 730 })
  fc.assert(
    fc.property(zones, minutes, days, (timeZone, minute, day) => {
      const cron = `${minute % 60} ${Math.floor(minute / 60)} * * *`
      const after = Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000
      const dates = nextRuns({ cron, timeZone }, after, 4).map((run) =>
        new Date(run).toLocaleDateString('en-CA', { timeZone }),
      )
      const expected = dates.map((_, index) => {
        const [year = 0, month = 1, date = 1] = (dates[0] ?? '').split('-').map(Number)
        return new Date(Date.UTC(year, month - 1, date + index)).toISOString().slice(0, 10)
      })
      expect(dates).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

describe('a timing that cannot be kept is refused where it stands', () => {
  const refusal = (timing: Timing): unknown => {
    try {
      requireTiming(timing, { cron: '/schedule/cron', timeZone: '/schedule/time_zone' })
    } catch (error) {
      return error instanceof ProblemError ? { code: error.code, ...error.parts[0] } : error
    }
    return null
  }
  test.each([
    ['60 * * * *', 'UTC', 'API-030', 'Invalid value for minute: 60', '/schedule/cron'],
    ['* * * *', 'UTC', 'API-030', 'it needs minute', '/schedule/cron'],
    ['0 * * * * *', 'UTC', 'API-030', 'it needs minute', '/schedule/cron'],
    ['@daily', 'UTC', 'API-030', 'it needs minute', '/schedule/cron'],
    ['0 0 30 2 *', 'UTC', 'API-030', 'never due', '/schedule/cron'],
    [`0 0 ${'1,'.repeat(60)}1 * *`, 'UTC', 'API-030', 'more than 100', '/schedule/cron'],
    ['0 0 * * *', 'Mars/Olympus', 'API-031', 'no time zone Mars/Olympus', '/schedule/time_zone'],
    ['0 0 * * *', '+02:00', 'API-031', 'no time zone', '/schedule/time_zone'],
    ['0 0 * * *', '', 'API-031', 'no time zone', '/schedule/time_zone'],
  ])('%s in %s', (cron, timeZone, code, detail, pointer) => {
    expect(refusal({ cron, timeZone })).toMatchObject({ code, detail: expect.stringContaining(detail), pointer })
  })

  test('and one that can be is not, whatever form cron has for it', () => {
    for (const cron of ['0 2 * * *', '*/5 9-17 * * 1-5', '0 0 L * *', '0 0 29 2 *', '15 10 * JAN-MAR MON#1'])
      expect(refusal({ cron, timeZone: 'Europe/Berlin' })).toBeNull()
    expect(refusal({ everyMs: 60_000 })).toBeNull()
    expect(refusal({ everyMs: 10 })).toBeInstanceOf(RangeError)
  })
})

describe('runs that are due', () => {
  const at = (time: string) => Date.parse(`2026-05-04T${time}:00Z`)
  const hourly = { cron: '0 * * * *', timeZone: 'UTC' }

  test('are those from the awaited one until now, and the next one lies behind now', () => {
    expect(dueRuns(hourly, at('09:00'), at('09:00'))).toEqual({ runs: [at('09:00')], nextAt: at('10:00') })
    expect(dueRuns(hourly, at('09:00'), at('11:30'))).toEqual({
      runs: [at('09:00'), at('10:00'), at('11:00')],
      nextAt: at('12:00'),
    })
    expect(dueRuns({ everyMs: 3_600_000 }, at('09:10'), at('11:30'))).toEqual({
      runs: [at('09:10'), at('10:10'), at('11:10')],
      nextAt: at('12:10'),
    })
  })

  test('are counted up to a hundred, the newest ones', () => {
    for (const timing of [{ cron: '* * * * *', timeZone: 'UTC' }, { everyMs: 60_000 }]) {
      const due = dueRuns(timing, at('09:00'), at('19:00'))
      expect(due.runs).toHaveLength(100)
      expect([due.runs[0], due.runs.at(-1), due.nextAt]).toEqual([at('17:21'), at('19:00'), at('19:01')])
    }
  })

  test('include the awaited one, although the rules of the zone may be others by now', () => {
    expect(dueRuns(hourly, at('09:17'), at('09:18')).runs).toEqual([at('09:17')])
    expect(nextRun(hourly, at('09:18'))).toBe(at('10:00'))
  })

  test('are made by the policy of the schedule', () => {
    const three = [at('09:00'), at('10:00'), at('11:00')]
    const firings = (policy: 'skip' | 'run_once' | 'run_all', now: string, mostRuns = 10) =>
      firingsOf({ policy, mostRuns }, three, at(now))
    expect(firings('run_once', '11:30')).toEqual([{ at: at('11:00'), missed: 2 }])
    expect(firings('skip', '11:30')).toEqual([])
    expect(firings('skip', '11:01')).toEqual([{ at: at('11:00'), missed: 2 }])
    expect(firings('run_all', '11:30').map((firing) => firing.at)).toEqual(three)
    expect(firings('run_all', '11:30', 2)).toEqual([
      { at: at('10:00'), missed: 1 },
      { at: at('11:00'), missed: 0 },
    ])
  })
})
