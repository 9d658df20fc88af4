import { expect, test } from 'vitest'
import { type Measured, noMeasures, resultsOf } from './results.ts'

const one = (over: Partial<Measured['measures']>, ms = 1): Measured => ({
  ...{ measures: { ...noMeasures, ...over }, ms, tokens: 10 },
})

test('means leave out the questions that do not have the measure', () => {
  const { baseline } = resultsOf([one({ ndcg: 1, groundedness: 0.5 }), one({ ndcg: 0 }), one({})], null)
  expect(baseline).toMatchObject({ ndcg: 0.5, groundedness: 0.5, citation_recall: null, total_tokens: 30 })
})

test('a difference is over the pairs, and the verdict needs an interval without 0', () => {
  const own = Array.from({ length: 30 }, () => one({ ndcg: 0.2, groundedness: 0.9 }))
  const better = own.map((_, at) => one({ ndcg: 0.6 + (at % 3) / 10, groundedness: at === 0 ? 0.4 : null }))
  const found = resultsOf(own, better)
  expect(found.verdict).toBe('better')
  expect(found.difference?.ndcg?.low).toBeGreaterThan(0.3)
  expect(found.difference?.groundedness?.mean).toBeCloseTo(-0.5, 12)
  expect(found.difference?.citation_precision).toBeNull()
  expect(resultsOf(better, own).verdict).toBe('worse')
  expect(resultsOf(own, own).verdict).toBe('no_difference')
})
