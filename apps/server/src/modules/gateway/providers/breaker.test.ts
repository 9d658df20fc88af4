import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'

function setup() {
  let now = 1_000_000
  const breaker = createBreaker({ now: () => now })
  const times = (count: number, work: () => unknown) => Array.from({ length: count }, work)
  return {
    breaker,
    wait: (ms: number) => {
      now += ms
    },
    open: () => times(5, breaker.failed),
    times,
  }
}

describe('a breaker', () => {
  test('C52 opens at the fifth failure in a row and not before', () => {
    const { breaker, times } = setup()
    expect(times(4, breaker.failed)).toEqual([false, false, false, false])
    expect([breaker.state(), breaker.failed(), breaker.state()]).toEqual(['closed', true, 'open'])
    expect(breaker.restMs()).toBe(30_000)
    expect(breaker.enter()).toBe(false)
  })

  test('opens when half of at least ten calls failed', () => {
    const { breaker } = setup()
    for (let at = 0; at < 4; at += 1) {
      breaker.succeeded()
      breaker.failed()
    }
    breaker.succeeded()
    expect(breaker.state()).toBe('closed')
    expect(breaker.failed()).toBe(true)
  })

  test('looks at the last twenty calls only', () => {
    const { breaker, times } = setup()
    times(20, breaker.succeeded)
    for (let at = 0; at < 9; at += 1) {
      breaker.failed()
      breaker.succeeded()
    }
    expect(breaker.errorRate()).toBe(0.45)
    expect(breaker.state()).toBe('closed')
  })

  test('lets three calls find out after its rest, and another when one of them never comes back', () => {
    const { breaker, open, wait, times } = setup()
    open()
    wait(29_999)
    expect(breaker.enter()).toBe(false)
    wait(1)
    expect(breaker.state()).toBe('half_open')
    expect(times(4, breaker.enter)).toEqual([true, true, true, false])
    wait(30_000)
    expect(breaker.enter()).toBe(true)
  })

  test('closes with the first success and has forgotten what was before', () => {
    const { breaker, open, wait } = setup()
    open()
    wait(30_000)
    breaker.enter()
    breaker.succeeded()
    expect([breaker.state(), breaker.errorRate()]).toEqual(['closed', 0])
    expect(breaker.failed()).toBe(false)
  })

  test('rests twice as long after each failure that reopens it, up to five minutes', () => {
    const { breaker, open, wait } = setup()
    open()
    const rests = [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]
    for (const rest of rests) {
      expect(breaker.restMs()).toBe(rest)
      wait(rest)
      breaker.enter()
      breaker.failed()
    }
  })

  test('gives back the place of a call that says nothing', () => {
    const { breaker, open, wait, times } = setup()
    open()
    wait(30_000)
    times(3, breaker.enter)
    breaker.left()
    expect(breaker.enter()).toBe(true)
  })

  test('is not closed by an answer to a call from before', () => {
    const { breaker, open } = setup()
    open()
    breaker.succeeded()
    expect(breaker.state()).toBe('open')
  })

  test('believes another instance once, and not for longer than five minutes', () => {
    const { breaker } = setup()
    expect(breaker.adopt({ openUntil: 9_000_000, rests: 2 })).toBe(true)
    expect(breaker.restMs()).toBe(300_000)
    expect(breaker.adopt({ openUntil: 1_300_000, rests: 2 })).toBe(false)
    expect(breaker.adopt({ openUntil: 5, rests: 9 })).toBe(false)
  })

  test('never lets more than three calls through while it is half open, and is never shut for ever', () => {
    const acts = fc.array(fc.constantFrom('enter', 'failed', 'succeeded', 'left', 'wait'), { maxLength: 200 })
    fc.assert(
      fc.property(acts, (sequence) => {
        const { breaker, wait, open } = setup()
        open()
        let inside = 0
        for (const act of sequence) {
          if (act === 'wait') wait(10_000)
          else if (act === 'enter') inside += breaker.enter() ? 1 : 0
          else breaker[act]()
          if (act !== 'enter' || breaker.state() !== 'half_open') inside = 0
          expect(inside).toBeLessThanOrEqual(3)
        }
        wait(300_000)
        expect(breaker.enter()).toBe(true)
      }),
    )
  })
})
