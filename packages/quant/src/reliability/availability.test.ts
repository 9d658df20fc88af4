import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyzeAvailability, steadyStateAvailability } from './availability.ts'
import { component, kOfN, parallel, type Structure, series, works } from './structure.ts'

/** MTTF 1,000 h, MTTR 4 h; closed forms of `shared/data/quant/oracles.json`, key availability. */
const unit = steadyStateAvailability(1_000, 4)
const minutesDown = (availability: number) => (1 - availability) * 365 * 24 * 60
const same = (n: number) => Array.from({ length: n }, () => unit)
const [a, b, c, d] = [component(0), component(1), component(2), component(3)]

test('one component: 0.9960159363, 2,094.024 minutes a year', () => {
  expect(unit).toBeCloseTo(0.9960159363, 10)
  expect(minutesDown(analyzeAvailability(a, same(1)).availability)).toBeCloseTo(2_094.024, 3)
})

test.each([
  ['pair', parallel(a, b), 0.9999841272],
  ['two of three', kOfN(2, a, b, c), 0.9999525082],
  ['three in series', series(a, b, c), 0.9880953638],
  [
    'ten pairs in series',
    series(...Array.from({ length: 10 }, (_, i) => parallel(component(2 * i), component(2 * i + 1)))),
    0.9998413,
  ],
] as const)('%s: availability %#', (_, structure, availability) => {
  expect(analyzeAvailability(structure, same(20)).availability).toBeCloseTo(
    availability,
    availability === 0.9998413 ? 7 : 10,
  )
})

test('a shared component counts once, which the product of the branches gets wrong', () => {
  const shared = parallel(series(a, b), series(a, c))
  const p = [0.9, 0.8, 0.8]
  const exact = 0.9 * (1 - 0.2 * 0.2)
  expect(analyzeAvailability(shared, p).availability).toBeCloseTo(exact, 14)
  expect(1 - (1 - 0.9 * 0.8) ** 2).not.toBeCloseTo(exact, 2)
})

test('the bridge has the cut sets {0,1}, {3,4}, {0,2,4}, {1,2,3} and no single point', () => {
  const [one, two, bridge, three, four] = [0, 1, 2, 3, 4].map(component) as [
    Structure,
    Structure,
    Structure,
    Structure,
    Structure,
  ]
  const system = parallel(series(one, three), series(two, four), series(one, bridge, four), series(two, bridge, three))
  const { availability, cutSets, singlePoints } = analyzeAvailability(system, [0.9, 0.9, 0.9, 0.9, 0.9])
  // 2p² + 2p³ − 5p⁴ + 2p⁵ for equal components (textbook closed form)
  expect(availability).toBeCloseTo(2 * 0.9 ** 2 + 2 * 0.9 ** 3 - 5 * 0.9 ** 4 + 2 * 0.9 ** 5, 14)
  expect(cutSets).toEqual([
    [0, 1],
    [3, 4],
    [0, 2, 4],
    [1, 2, 3],
  ])
  expect(singlePoints).toEqual([])
})

test('importance of a series of one and a pair: the single point leads', () => {
  const { singlePoints, importance } = analyzeAvailability(series(a, parallel(b, c)), [0.99, 0.9, 0.9])
  const [first, second] = importance
  expect(singlePoints).toEqual([0])
  // Birnbaum by hand: 1 − 0.1², and 0.99·0.1. Fussell–Vesely: P(cut down)/P(system down).
  const down = 1 - 0.99 * 0.99
  expect(first?.birnbaum).toBeCloseTo(0.99, 14)
  expect(first?.fussellVesely).toBeCloseTo(0.01 / down, 12)
  expect(second?.birnbaum).toBeCloseTo(0.099, 14)
  expect(second?.fussellVesely).toBeCloseTo(0.01 / down, 12)
})

const structures = (components: number) =>
  fc.letrec<{ node: Structure }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      fc.nat(components - 1).map(component),
      fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((parts) => series(...parts)),
      fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((parts) => parallel(...parts)),
      fc
        .array(tie('node'), { minLength: 1, maxLength: 4 })
        .chain((parts) => fc.nat(parts.length).map((k) => kOfN(k, ...parts))),
    ),
  })).node

const components = 8

/** Sum over all 2ⁿ states. */
function enumerate(structure: Structure, p: readonly number[]): number {
  let sum = 0
  for (let state = 0; state < 1 << components; state++) {
    if (!works(structure, (index) => ((state >> index) & 1) === 1)) continue
    sum += p.reduce((product, up, index) => product * ((state >> index) & 1 ? up : 1 - up), 1)
  }
  return sum
}

test('the diagram equals enumeration of all states', () => {
  const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: components,
    maxLength: components,
  })
  fc.assert(
    fc.property(structures(components), probabilities, (structure, p) => {
      expect(analyzeAvailability(structure, p).availability).toBeCloseTo(enumerate(structure, p), 12)
    }),
  )
})

test('each cut set brings the system down, and no part of it does', () => {
  fc.assert(
    fc.property(structures(components), (structure) => {
      const isCut = (down: readonly number[]) => !works(structure, (index) => !down.includes(index))
      for (const set of analyzeAvailability(structure, same(components)).cutSets) {
        expect(isCut(set)).toBe(true)
        for (const spared of set) expect(isCut(set.filter((each) => each !== spared))).toBe(false)
      }
    }),
  )
})

test('more redundancy never lowers availability', () => {
  fc.assert(
    fc.property(structures(components), structures(components), (structure, spare) => {
      const before = analyzeAvailability(structure, same(components)).availability
      expect(analyzeAvailability(parallel(structure, spare), same(components)).availability).toBeGreaterThanOrEqual(
        before - 1e-12,
      )
    }),
  )
})

test('64 components in pairs are exact; 65 and invalid availabilities are refused', () => {
  const pairs = Array.from({ length: 32 }, (_, i) => parallel(component(2 * i), component(2 * i + 1)))
  const { availability } = analyzeAvailability(series(...pairs), same(64))
  expect(availability).toBeCloseTo((1 - (1 - unit) ** 2) ** 32, 12)
  expect(() => analyzeAvailability(series(...pairs, component(64)), same(65))).toThrow(RangeError)
  expect(() => analyzeAvailability(series(a, d), [0.5])).toThrow(/component 3/)
  expect(() => analyzeAvailability(a, [1.5])).toThrow(RangeError)
})
