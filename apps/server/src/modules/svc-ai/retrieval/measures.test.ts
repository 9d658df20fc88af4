import { expect, test } from 'vitest'
import { contextPrecision, ndcg, pairedBootstrap, percentile, recall, reciprocalRank, shareOf } from './measures.ts'

const gains = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
])

test('a ranking is measured as trec_eval does', () => {
  expect(ndcg(['a', 'b'], gains, 10)).toBe(1)
  expect(ndcg(['b', 'a'], gains, 10)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 12)
  expect(ndcg(['x'], new Map(), 10)).toBe(0)
  expect(recall(['x', 'a', 'b'], gains, 2)).toBe(0.5)
  expect(reciprocalRank(['x', 'c', 'b'], gains, 10)).toBeCloseTo(1 / 3, 12)
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(3)
  // Relevant at places 1 and 3: (1/1 + 2/3) / 2.
  expect(contextPrecision(['a', 'x', 'b'], gains, 10)).toBeCloseTo(5 / 6, 12)
  expect(contextPrecision(['x', 'a'], gains, 1)).toBe(0)
  expect([shareOf([1, 2, 3, 4], (n) => n > 1), shareOf([], () => true)]).toEqual([0.75, 0])
})

test('the bootstrap is the same every time and finds a difference that is there', () => {
  const baseline = Array.from({ length: 40 }, (_, index) => (index % 5) / 5)
  const better = baseline.map((value, index) => value + (index % 2 === 0 ? 0.2 : 0.1))
  const difference = pairedBootstrap(baseline, better)
  expect(difference).toEqual(pairedBootstrap(baseline, better))
  expect(difference.mean).toBeCloseTo(0.15, 12)
  expect(difference.low).toBeGreaterThan(0.1)
  expect(pairedBootstrap(baseline, baseline)).toEqual({ mean: 0, low: 0, high: 0 })
})
