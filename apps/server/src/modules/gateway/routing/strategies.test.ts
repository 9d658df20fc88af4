import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, strategies } from '../route-model/strategy.ts'
import { rendezvousOrder } from './rendezvous.ts'
import { inOrder, type OrderFacts } from './strategies.ts'
import { createTurns } from './turns.ts'

const at = (key: string, over: Partial<Candidate> = {}): Candidate => ({ key, weight: 1, priority: 0, ...over })
const keys = (candidates: readonly Candidate[]) => candidates.map(({ key }) => key)

function facts(over: Partial<OrderFacts> = {}): OrderFacts {
  return {
    turns: createTurns(),
    latencyMs: () => 0,
    cost: () => null,
    inFlight: () => 0,
    stickyKey: 'k',
    fraction: () => 0,
    ...over,
  }
}

const arbitrary = fc
  .array(fc.record({ weight: fc.integer({ min: 0, max: 20 }), priority: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((targets) => targets.map((target, index) => at(`t${index}`, target)))

describe('every strategy', () => {
  test('asks each target once, lower priorities first', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...strategies),
        arbitrary,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (strategy, targets, fraction) => {
          const ordered = inOrder(strategy, targets, facts({ fraction: () => fraction }))
          expect(keys(ordered).toSorted()).toEqual(keys(targets).toSorted())
          const priorities = ordered.map(({ priority }) => priority)
          expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))
        },
      ),
    )
  })
})

describe('by weight', () => {
  test('each target has exactly its weight of turns in every run as long as all weights', () => {
    fc.assert(
      fc.property(arbitrary, fc.integer({ min: 1, max: 3 }), (targets, cycles) => {
        const turns = createTurns()
        const total = targets.reduce((sum, { weight }) => sum + weight, 0)
        for (let cycle = 0; cycle < cycles; cycle += 1) {
          const taken = Array.from({ length: total }, () => turns.next(targets)?.key)
          for (const { key, weight } of targets) expect(taken.filter((one) => one === key)).toHaveLength(weight)
        }
      }),
    )
  })

  test('turns are spread out', () => {
    const turns = createTurns()
    const targets = [at('a', { weight: 5 }), at('b'), at('c')]
    // The order nginx publishes for the weights 5, 1, 1.
    expect(Array.from({ length: 7 }, () => turns.next(targets)?.key).join('')).toBe('aabacaa')
  })

  test('a weight of nothing is asked when the others have failed', () => {
    const ordered = inOrder('weighted', [at('none', { weight: 0 }), at('one'), at('two', { weight: 2 })], facts())
    expect(keys(ordered)).toEqual(['two', 'one', 'none'])
    expect(keys(inOrder('weighted', [at('x', { weight: 0 }), at('y', { weight: 0 })], facts()))).toEqual(['x', 'y'])
  })

  test('a target that rests for a while has its share again afterwards', () => {
    const turns = createTurns()
    const [a, b] = [at('a'), at('b')]
    for (let turn = 0; turn < 10; turn += 1) turns.next([b])
    const taken = Array.from({ length: 10 }, () => turns.next([a, b])?.key)
    expect(taken.filter((key) => key === 'a')).toHaveLength(5)
  })
})

describe('by a key that sticks', () => {
  const many = Array.from({ length: 400 }, (_, index) => `session-${index}`)

  test('a key keeps its target, and when one goes only its own keys move', () => {
    fc.assert(
      fc.property(
        arbitrary.filter((targets) => targets.length > 1),
        fc.string(),
        (targets, key) => {
          const [first, second] = rendezvousOrder(targets, key)
          if (first?.weight !== 0) expect(rendezvousOrder([...targets].reverse(), key)[0]).toBe(first)
          for (const gone of targets) {
            const left = rendezvousOrder(
              targets.filter((target) => target !== gone),
              key,
            )
            if (first?.weight !== 0) expect(left[0]?.key).toBe(gone === first ? second?.key : first?.key)
          }
        },
      ),
    )
  })

  test('keys spread by weight', () => {
    const targets = [at('a', { weight: 3 }), at('b', { weight: 1 })]
    const share = many.filter((key) => rendezvousOrder(targets, key)[0]?.key === 'a').length / many.length
    expect(share).toBeGreaterThan(0.68)
    expect(share).toBeLessThan(0.82)
  })
})

describe('by what is seen', () => {
  const targets = [at('a'), at('b'), at('c')]

  test('the quicker of two drawn goes first', () => {
    const latencyMs = (key: string) => ({ a: 300, b: 100, c: 50 })[key] ?? 0
    // Draws a and b; c, the quickest, is not looked at.
    const draws = [0, 0]
    expect(keys(inOrder('least_latency', targets, facts({ latencyMs, fraction: () => draws.shift() ?? 0 })))).toEqual([
      'b',
      'a',
      'c',
    ])
  })

  test('the slowest of all never goes first', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (x, y) => {
          const draws = [x, y]
          const latencyMs = (key: string) => ({ a: 10, b: 900, c: 20 })[key] ?? 0
          const [first] = inOrder('least_latency', targets, facts({ latencyMs, fraction: () => draws.shift() ?? 0 }))
          expect(first?.key).not.toBe('b')
        },
      ),
    )
  })

  test('the cheapest goes first and what has no price last', () => {
    const cost = (key: string) => ({ a: null, b: 5n, c: 4n })[key] ?? null
    expect(keys(inOrder('least_cost', targets, facts({ cost })))).toEqual(['c', 'b', 'a'])
  })

  test('the least busy for its weight goes first', () => {
    const inFlight = (key: string) => ({ a: 3, b: 4, c: 1 })[key] ?? 0
    const weighted = [at('a', { weight: 1 }), at('b', { weight: 4 }), at('c', { weight: 0 })]
    expect(keys(inOrder('least_busy', weighted, facts({ inFlight })))).toEqual(['b', 'a', 'c'])
  })
})
