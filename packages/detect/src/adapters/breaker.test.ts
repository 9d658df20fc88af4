import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

function breakerWithClock() {
  const clock = { at: 0 }
  const breaker = new Breaker({ failures: 3, restMs: 1_000, now: () => clock.at })
  const fail = (times: number): void => {
    for (let i = 0; i < times; i += 1) {
      breaker.enter()
      breaker.failed()
    }
  }
  return { breaker, clock, fail }
}

test('it opens after so many failures in a row, and a success starts the count again', () => {
  const { breaker, fail } = breakerWithClock()
  fail(2)
  breaker.succeeded()
  fail(2)
  expect(breaker.enter()).toBe(true)
  breaker.failed()
  expect(breaker.enter()).toBe(false)
})

test('after the rest exactly one caller may try, and its success closes it', () => {
  const { breaker, clock, fail } = breakerWithClock()
  fail(3)
  clock.at = 999
  expect(breaker.enter()).toBe(false)
  clock.at = 1_000
  expect([breaker.enter(), breaker.enter()]).toEqual([true, false])
  breaker.succeeded()
  expect([breaker.enter(), breaker.enter()]).toEqual([true, true])
})

test('a failed probe starts a new rest', () => {
  const { breaker, clock, fail } = breakerWithClock()
  fail(3)
  clock.at = 1_000
  fail(1)
  clock.at = 1_999
  expect(breaker.enter()).toBe(false)
  clock.at = 2_000
  expect(breaker.enter()).toBe(true)
})

test('a probe whose caller gave up leaves the try to the next one', () => {
  const { breaker, clock, fail } = breakerWithClock()
  fail(3)
  clock.at = 1_000
  breaker.enter()
  breaker.abandoned()
  expect([breaker.enter(), breaker.enter()]).toEqual([true, false])
})
