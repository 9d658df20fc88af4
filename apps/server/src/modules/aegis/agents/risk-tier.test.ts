import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RiskFactors, riskScore, tierOf } from './risk-tier.ts'
import { capabilities, dataClasses } from './words.ts'

const least: RiskFactors = {
  autonomyLevel: 0,
  dataClasses: ['public'],
  capabilities: [],
  untrustedInput: false,
  callsPerDay: 0,
}

test.each<[string, Partial<RiskFactors>, number, number]>([
  ['nothing', {}, 0, 1],
  [
    'everything',
    {
      autonomyLevel: 5,
      dataClasses: ['restricted'],
      capabilities: ['payment'],
      untrustedInput: true,
      callsPerDay: 1e9,
    },
    100,
    4,
  ],
  // 0.30·3/5 + 0.25·0.66 + 0.25·0.7 + 0.10 + 0.10·log10(1001)/6
  [
    'a support assistant',
    {
      autonomyLevel: 3,
      dataClasses: ['internal', 'confidential'],
      capabilities: ['read', 'external_send'],
      untrustedInput: true,
      callsPerDay: 1000,
    },
    67,
    3,
  ],
  ['code execution alone', { capabilities: ['code_exec'] }, 25, 2],
  ['autonomy alone', { autonomyLevel: 4 }, 24, 1],
])('the score of %s', (_name, factors, score, tier) => {
  expect(riskScore({ ...least, ...factors })).toBeCloseTo(score, 1)
  expect(tierOf(riskScore({ ...least, ...factors }))).toBe(tier)
})

test('the score is 0..100 and never falls when one factor rises', () => {
  const factors = fc.record({
    autonomyLevel: fc.integer({ min: 0, max: 4 }),
    dataClasses: fc.subarray([...dataClasses], { minLength: 1 }),
    capabilities: fc.subarray([...capabilities]),
    untrustedInput: fc.constant(false),
    callsPerDay: fc.integer({ min: 0, max: 10_000_000 }),
  })
  fc.assert(
    fc.property(factors, (one) => {
      const score = riskScore(one)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      const more: Partial<RiskFactors>[] = [
        { autonomyLevel: one.autonomyLevel + 1 },
        { dataClasses: [...one.dataClasses, 'restricted'] },
        { capabilities: [...one.capabilities, 'destructive'] },
        { untrustedInput: true },
        { callsPerDay: one.callsPerDay * 10 },
      ]
      for (const change of more) expect(riskScore({ ...one, ...change })).toBeGreaterThanOrEqual(score)
    }),
  )
})
