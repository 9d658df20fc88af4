import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarkovChain, isRareSequence, windowMeans } from './markov-chain.ts'

test('by hand: after a-b, a-c the step a→b has probability (1 + ½)/(2 + ½·5)', () => {
  const chain = createMarkovChain()
  chain.learn(['a', 'b'])
  chain.learn(['a', 'c'])
  // Three known names, the end, and one class for names not seen yet: five possible successors.
  expect(chain.probability('a', 'b')).toBeCloseTo(1.5 / 4.5, 15)
  expect(chain.probability(null, 'a')).toBeCloseTo(2.5 / 4.5, 15)
  expect(chain.probability('b', null)).toBeCloseTo(1.5 / 3.5, 15)
  expect(chain.probability('a', 'new')).toBeCloseTo(0.5 / 4.5, 15)
  const [start, step, end] = chain.surprise(['a', 'b'])
  expect(start).toBeCloseTo(-Math.log2(2.5 / 4.5), 15)
  expect(step).toBeCloseTo(-Math.log2(1.5 / 4.5), 15)
  expect(end).toBeCloseTo(-Math.log2(1.5 / 3.5), 15)
})

test('probabilities of all successors, with one class for new names, add up to 1', () => {
  const sequences = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(sequences, (learned) => {
      const chain = createMarkovChain()
      for (const sequence of learned) chain.learn(sequence)
      const names = [...new Set(learned.flat())]
      for (const from of [null, ...names]) {
        const sum = [...names, null, 'never seen'].reduce((total, to) => total + chain.probability(from, to), 0)
        expect(sum).toBeCloseTo(1, 12)
      }
    }),
  )
})

test('state survives JSON, and names such as __proto__ are names', () => {
  const chain = createMarkovChain()
  chain.learn(['__proto__', 'constructor', '__proto__'])
  const restored = createMarkovChain(JSON.parse(JSON.stringify(chain.state())))
  expect(restored.surprise(['__proto__', 'x'])).toEqual(chain.surprise(['__proto__', 'x']))
  expect(() => createMarkovChain({ transitions: [[null, 'a', -1]] })).toThrow(RangeError)
})

test('windows of ten steps; shorter sequences have one mean', () => {
  const close = (given: readonly number[], expected: readonly number[]) => {
    expect(given).toHaveLength(expected.length)
    for (const [index, value] of expected.entries()) expect(given[index]).toBeCloseTo(value, 12)
  }
  close(windowMeans([1, 2, 3, 4], 2), [1.5, 2.5, 3.5])
  close(windowMeans([1, 3], 10), [2])
  close(windowMeans([], 10), [])
})

test('rare is above the own percentile and never below 4 bits a step', () => {
  expect(isRareSequence(3.9, 1)).toBe(false)
  expect(isRareSequence(4.1, 1)).toBe(true)
  expect(isRareSequence(4.1, 5)).toBe(false)
  expect(isRareSequence(4.1, Number.NaN)).toBe(true)
})
