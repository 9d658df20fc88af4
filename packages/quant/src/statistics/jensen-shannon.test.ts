import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jensenShannon, mixNoise, mixShift } from './jensen-shannon.ts'

test.each([
  [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], 0.095816],
  [[1, 0], [0, 1], 1],
  [[0.5, 0.5], [1, 0], 0.311278],
])('divergence of %j and %j is %d bits (published values)', (p, q, bits) => {
  expect(jensenShannon(p, q)).toBeCloseTo(bits, 6)
})

test('sampling noise: 0.0333 for 100 calls of 5 tools, 0.0251 for 200 of 10', () => {
  expect(mixNoise(5, 100)).toBeCloseTo(0.0333, 4)
  expect(mixNoise(10, 200)).toBeCloseTo(0.0251, 4)
})

test('a new mix fires, the same mix and few calls do not', () => {
  const baseline = new Map([
    ['search', 900],
    ['read', 100],
  ])
  expect(mixShift(new Map([['send', 60]]), baseline).shifted).toBe(true)
  expect(
    mixShift(
      new Map([
        ['search', 90],
        ['read', 10],
      ]),
      baseline,
    ).shifted,
  ).toBe(false)
  expect(mixShift(new Map([['read', 1]]), baseline).shifted).toBe(false)
  expect(mixShift(new Map(), baseline).divergence).toBe(0)
})

const weights = fc
  .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 4 })
  .filter((each) => each.some((w) => w > 0))

test('symmetric, 0..1, zero for proportional weights', () => {
  fc.assert(
    fc.property(weights, weights, (p, q) => {
      const divergence = jensenShannon(p, q)
      expect(jensenShannon(q, p)).toBeCloseTo(divergence, 12)
      expect(divergence).toBeGreaterThanOrEqual(0)
      expect(divergence).toBeLessThanOrEqual(1)
      expect(
        jensenShannon(
          p,
          p.map((each) => 3 * each),
        ),
      ).toBeCloseTo(0, 12)
    }),
  )
})

test('invalid weights are refused', () => {
  for (const [p, q] of [
    [[1], [1, 2]],
    [[0], [1]],
    [
      [-1, 2],
      [1, 1],
    ],
    [[Number.NaN], [1]],
  ] as const) {
    expect(() => jensenShannon(p, q)).toThrow(RangeError)
  }
})
