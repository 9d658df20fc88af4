import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FaultKind, fallbackCauses, faultRules, ordinaryCauses } from '../providers/fault.ts'
import { backoffMs, nextMove, type Situation } from './moves.ts'

const move = (fault: FaultKind, over: Partial<Situation> = {}) =>
  nextMove({
    fault,
    fallbackOn: ordinaryCauses,
    hasOtherKey: false,
    hasOtherTarget: false,
    takeRetry: () => true,
    ...over,
  })

describe('after a fault', () => {
  test.each<[FaultKind, string, string]>([
    ['connect', 'wait', 'elsewhere'],
    ['refused_address', 'stop', 'elsewhere'],
    ['server_error', 'wait', 'elsewhere'],
    ['rate_limited', 'stop', 'elsewhere'],
    ['credential', 'stop', 'elsewhere'],
    ['bad_request', 'stop', 'stop'],
    ['context_too_long', 'stop', 'stop'],
    ['content_filtered', 'stop', 'stop'],
    ['timeout', 'stop', 'elsewhere'],
    ['invalid', 'stop', 'elsewhere'],
    ['broken', 'wait', 'elsewhere'],
  ])('%s: alone %s, with another target %s', (fault, alone, withOther) => {
    expect([move(fault), move(fault, { hasOtherTarget: true })]).toEqual([alone, withOther])
  })

  test('of a key another key is tried before another target', () => {
    const both = { hasOtherKey: true, hasOtherTarget: true }
    expect([move('rate_limited', both), move('credential', both), move('server_error', both)]).toEqual([
      'again',
      'again',
      'elsewhere',
    ])
  })

  test('another target is asked exactly for the causes of the route', () => {
    const kinds = Object.keys(faultRules) as FaultKind[]
    fc.assert(
      fc.property(fc.subarray([...fallbackCauses]), fc.constantFrom(...kinds), (fallbackOn, fault) => {
        const found = move(fault, { fallbackOn, hasOtherTarget: true })
        expect(found === 'elsewhere').toBe(fallbackOn.includes(faultRules[fault].cause))
      }),
    )
  })

  test('a retry that is not allowed any more ends the call', () => {
    expect(move('server_error', { takeRetry: () => false })).toBe('stop')
  })
})

describe('the wait before a retry', () => {
  test('is drawn below a bound that doubles up to the cap', () => {
    const waits = [0, 1, 2, 3, 4, 5].map((attempt) =>
      backoffMs({ baseMs: 250, capMs: 4000 }, { attempt, retryAfterMs: null, fraction: 0.5 }),
    )
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 2000])
  })

  test('is what the provider wants, up to ten seconds', () => {
    const wait = (retryAfterMs: number) => backoffMs({ baseMs: 1, capMs: 1 }, { attempt: 0, retryAfterMs, fraction: 0 })
    expect([wait(1500), wait(60_000)]).toEqual([1500, 10_000])
  })
})
