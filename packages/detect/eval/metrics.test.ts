import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areaUnderCurve, bestF1, quantileOf, recallAtRate, shareAbove, shareFrom } from './metrics.ts'

const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 })

test('the area under the curve is the share of pairs in the right order, ties counting half', () => {
  fc.assert(
    fc.property(scores, scores, (attacks, harmless) => {
      const pairs = attacks.flatMap((a) => harmless.map((h) => (a > h ? 1 : a === h ? 0.5 : 0)))
      const mean = pairs.reduce<number>((sum, one) => sum + one, 0) / pairs.length
      expect(areaUnderCurve(attacks, harmless)).toBeCloseTo(mean, 10)
    }),
  )
})

test('recall at a rate lets no more than that share of harmless texts through', () => {
  const harmless = Array.from({ length: 200 }, (_, i) => i)
  // 1 % of 200 is 2: 199 and 198 may lie above the threshold, which is therefore 197.
  expect(recallAtRate([197, 198, 300], harmless, 0.01)).toBeCloseTo(2 / 3, 12)
  expect(recallAtRate([300], [], 0.01)).toBe(1)
})

test('best F1 is the best over every threshold', () => {
  fc.assert(
    fc.property(scores, scores, (attacks, harmless) => {
      const at = (threshold: number): number => {
        const hits = attacks.filter((score) => score >= threshold).length
        const alarms = harmless.filter((score) => score >= threshold).length
        return (2 * hits) / (hits + alarms + attacks.length)
      }
      expect(bestF1(attacks, harmless)).toBeCloseTo(Math.max(...[...attacks, ...harmless].map(at)), 10)
    }),
  )
})

test('shares and quantiles', () => {
  expect(shareAbove([1, 2, 3, 4], 2)).toBe(0.5)
  expect(shareFrom([1, 2, 3, 4], 2)).toBe(0.75)
  expect(shareFrom([], 2)).toBe(0)
  expect(quantileOf([3, 1, 2], 0.5)).toBe(2)
  expect(quantileOf([3, 1, 2], 0.99)).toBe(3)
  expect(quantileOf([], 0.5)).toBeNaN()
})
