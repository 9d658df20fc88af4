import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Limiter, LimitRule } from './port.ts'

/** Makes an adapter on the given clock, with no keys in it. */
export type MakeLimiter = (now: () => number) => Promise<Limiter>

const minute = 60_000
const shapes: readonly { readonly name: string; readonly rule: LimitRule; readonly slackMs: number }[] = [
  { name: 'exact log', rule: { limit: 5, windowMs: minute }, slackMs: 0 },
  { name: 'ring', rule: { limit: 300, windowMs: minute }, slackMs: 1_000 },
]

/** The contract of every limiter adapter. */
export function describeLimiterContract(name: string, makeAdapter: MakeLimiter): void {
  describe(`${name} limiter`, () => {
    // A whole minute, so that slot borders are where the cases below say.
    let clock = 1_800_000_000_000
    let limiter: Limiter
    let keys = 0
    const freshKey = () => {
      keys += 1
      return `{tenant-${keys}}:api`
    }
    beforeAll(async () => {
      limiter = await makeAdapter(() => clock)
    })
    afterAll(() => limiter.close())

    for (const { name: shape, rule, slackMs } of shapes) {
      test(`${shape}: the limit is granted and nothing more`, async () => {
        const key = freshKey()
        const taken = await takeMany(limiter, key, rule, rule.limit + 3)
        expect(taken).toBe(rule.limit)
      })

      test(`${shape}: a refusal says when the cost fits again, and then it does`, async () => {
        const key = freshKey()
        await limiter.take(key, rule, rule.limit)
        clock += 10_000
        const refused = await limiter.take(key, rule, 2)
        expect(refused).toMatchObject({ allowed: false, limit: rule.limit, remaining: 0 })
        expect(refused.retryAfterMs).toBeGreaterThanOrEqual(50_000)
        expect(refused.retryAfterMs).toBeLessThanOrEqual(50_000 + slackMs)
        clock += refused.retryAfterMs - 1
        expect((await limiter.take(key, rule, 2)).allowed).toBe(false)
        clock += 1
        expect((await limiter.take(key, rule, 2)).allowed).toBe(true)
      })

      test(`${shape}: a refused take and a peek cost nothing`, async () => {
        const key = freshKey()
        await limiter.take(key, rule, rule.limit - 1)
        expect((await limiter.take(key, rule, 2)).allowed).toBe(false)
        expect(await limiter.peek(key, rule)).toMatchObject({ allowed: true, remaining: 1 })
        expect(await limiter.take(key, rule)).toMatchObject({ allowed: true, remaining: 0 })
      })

      test(`${shape}: the reset is when the last unit has left`, async () => {
        const key = freshKey()
        await limiter.take(key, rule)
        clock += 5_000
        const { resetAtMs } = await limiter.take(key, rule)
        expect(resetAtMs).toBeGreaterThanOrEqual(clock + minute)
        expect(resetAtMs).toBeLessThanOrEqual(clock + minute + slackMs)
        clock = resetAtMs
        expect((await limiter.peek(key, rule)).remaining).toBe(rule.limit)
      })

      test(`${shape}: keys do not share a budget`, async () => {
        const key = freshKey()
        await limiter.take(key, rule, rule.limit)
        expect((await limiter.take(freshKey(), rule)).allowed).toBe(true)
      })

      test(`${shape}: a cost above the limit is refused and told to wait a window`, async () => {
        const decision = await limiter.take(freshKey(), rule, rule.limit + 1)
        expect(decision).toMatchObject({ allowed: false, remaining: rule.limit, retryAfterMs: minute })
      })

      test(`${shape}: a clock set back by an hour neither grants the units twice nor blocks for an hour`, async () => {
        const key = freshKey()
        await limiter.take(key, rule, rule.limit)
        clock -= 60 * minute
        expect((await limiter.take(key, rule)).allowed).toBe(false)
        clock += minute + slackMs
        expect((await limiter.take(key, rule)).allowed).toBe(true)
      })
    }

    test('a limit of 0 grants nothing', async () => {
      expect((await limiter.take(freshKey(), { limit: 0, windowMs: minute })).allowed).toBe(false)
    })

    test('units stay counted when the limit moves between the exact log and the ring', async () => {
      const key = freshKey()
      await limiter.take(key, { limit: 150, windowMs: minute }, 100)
      expect(await limiter.take(key, { limit: 300, windowMs: minute }, 150)).toMatchObject({
        allowed: true,
        remaining: 50,
      })
      expect((await limiter.take(key, { limit: 150, windowMs: minute })).allowed).toBe(false)
    })

    test('units stay counted when the window of a ring changes', async () => {
      const key = freshKey()
      await limiter.take(key, { limit: 300, windowMs: minute }, 300)
      expect((await limiter.take(key, { limit: 300, windowMs: 2 * minute })).allowed).toBe(false)
    })

    test('many takes at once share one budget', async () => {
      const key = freshKey()
      const rule = { limit: 250, windowMs: minute }
      const decisions = await Promise.all(Array.from({ length: 400 }, () => limiter.take(key, rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(250)
    })

    test.each([{ limit: -1 }, { limit: 1.5 }, { windowMs: 0 }, { windowMs: Number.NaN }, { limit: 2 ** 32 }])(
      'a rule with %o is refused',
      async (part) => {
        const rule = { limit: 10, windowMs: minute, ...part }
        await expect(async () => limiter.take(freshKey(), rule)).rejects.toThrow(RangeError)
      },
    )
  })
}

async function takeMany(limiter: Limiter, key: string, rule: LimitRule, times: number): Promise<number> {
  let taken = 0
  for (let turn = 0; turn < times; turn += 1) if ((await limiter.take(key, rule)).allowed) taken += 1
  return taken
}
