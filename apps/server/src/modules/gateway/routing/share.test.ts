import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createShare } from './share.ts'

function setup(rule: Parameters<typeof createShare>[1]) {
  let now = 1_000_000
  const share = createShare({ now: () => now }, rule)
  return {
    share,
    wait: (ms: number) => {
      now += ms
    },
    granted: (count: number) => Array.from({ length: count }, () => share.take('k')).filter(Boolean).length,
    ordinary: (count: number) => {
      for (let at = 0; at < count; at += 1) share.count('k')
    },
  }
}

describe('a share', () => {
  test('grants a fifth of what is ordinary', () => {
    const { granted, ordinary } = setup({ share: 0.2, windowMs: 10_000, always: 0 })
    expect(granted(5)).toBe(0)
    ordinary(100)
    expect(granted(50)).toBe(20)
  })

  test('always grants a few, so that the quiet have any', () => {
    const { granted, ordinary } = setup({ share: 0.2, windowMs: 10_000, always: 10 })
    expect(granted(50)).toBe(10)
    ordinary(100)
    expect(granted(50)).toBe(10)
  })

  test('forgets what is older than its window', () => {
    const { granted, ordinary, wait } = setup({ share: 0.2, windowMs: 10_000, always: 0 })
    ordinary(100)
    wait(10_000)
    expect(granted(1)).toBe(0)
    ordinary(10)
    expect(granted(5)).toBe(2)
  })

  test('keeps keys apart', () => {
    const { share, ordinary } = setup({ share: 1, windowMs: 10_000, always: 0 })
    ordinary(1)
    expect([share.take('other'), share.take('k')]).toEqual([false, true])
  })

  test('never grants more than its share of a window, whatever comes when', () => {
    const acts = fc.array(fc.oneof(fc.constantFrom('count', 'take'), fc.integer({ min: 1, max: 3000 })), {
      maxLength: 300,
    })
    fc.assert(
      fc.property(acts, (sequence) => {
        const { share, wait } = setup({ share: 0.3, windowMs: 10_000, always: 0 })
        let [now, counted] = [0, 0]
        const taken: number[] = []
        for (const act of sequence) {
          if (typeof act === 'number') {
            wait(act)
            now += act
          } else if (act === 'count') {
            share.count('k')
            counted += 1
          } else if (share.take('k')) taken.push(now)
        }
        expect(taken.length).toBeLessThanOrEqual(Math.floor(0.3 * counted))
      }),
    )
  })
})
