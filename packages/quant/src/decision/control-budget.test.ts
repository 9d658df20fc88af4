import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ControlChoiceInput, chooseControls } from './control-budget.ts'

/** Expected loss 100; each control keeps a share of it: overlapping controls, diminishing returns. */
const overlapping = (effects: readonly number[]) => (chosen: readonly number[]) =>
  100 * (1 - chosen.reduce((kept, index) => kept * (1 - (effects[index] ?? 0)), 1))

const costs = (...values: readonly number[]) => values.map((cost) => ({ cost }))

test('two cheap controls beat the strongest one', () => {
  const choice = chooseControls({
    options: costs(10, 5, 5),
    budget: 10,
    benefit: overlapping([0.6, 0.45, 0.4]),
    returns: 'diminishing',
  })
  expect(choice.chosen).toEqual([1, 2])
  expect(choice.benefit).toBeCloseTo(67, 12)
  expect([choice.cost, choice.method, choice.gap]).toEqual([10, 'exact', 0])
})

test('controls that only help together are found, where greedy steps see no gain', () => {
  const choice = chooseControls({
    options: costs(1, 1, 1),
    budget: 2,
    benefit: (chosen) => (chosen.includes(0) && chosen.includes(2) ? 50 : chosen.includes(1) ? 1 : 0),
    returns: 'any',
  })
  expect(choice.chosen).toEqual([0, 2])
})

const problems = fc
  .array(fc.record({ cost: fc.integer({ min: 0, max: 9 }), effect: fc.integer({ min: 0, max: 9 }) }), { maxLength: 8 })
  .chain((options) =>
    fc.record({
      options: fc.constant(options),
      budget: fc.integer({ min: 0, max: 25 }),
      maximumControls: fc.integer({ min: 0, max: 8 }),
      pairs: fc.boolean(),
    }),
  )

function inputOf({
  options,
  budget,
  maximumControls,
  pairs,
}: typeof problems extends fc.Arbitrary<infer T> ? T : never) {
  const effects = options.map(({ effect }) => effect / 10)
  const bonus = (chosen: readonly number[]) => (pairs ? 10 * Math.floor(chosen.length / 2) : 0)
  const input: ControlChoiceInput = {
    options,
    budget,
    maximumControls,
    benefit: (chosen) => overlapping(effects)(chosen) + bonus(chosen),
    returns: pairs ? 'any' : 'diminishing',
  }
  return input
}

test('the exact choice has the greatest benefit of all subsets', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const input = inputOf(problem)
      let best = 0
      for (let set = 0; set < 1 << input.options.length; set++) {
        const chosen = input.options.flatMap((_, index) => ((set >> index) & 1 ? [index] : []))
        const cost = chosen.reduce((sum, index) => sum + (input.options[index]?.cost ?? 0), 0)
        if (cost <= input.budget && chosen.length <= problem.maximumControls)
          best = Math.max(best, input.benefit(chosen))
      }
      const choice = chooseControls(input)
      expect(choice.benefit).toBeCloseTo(best, 9)
      expect(choice.cost).toBeLessThanOrEqual(input.budget)
    }),
  )
})

test('above 20 controls the greedy benefit and its bound enclose the optimum', () => {
  const additive = fc.array(
    fc.record({ cost: fc.integer({ min: 1, max: 9 }), worth: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 21,
      maxLength: 30,
    },
  )
  fc.assert(
    fc.property(additive, fc.integer({ min: 0, max: 60 }), (options, budget) => {
      const benefit = (chosen: readonly number[]) =>
        chosen.reduce((sum, index) => sum + (options[index]?.worth ?? 0), 0)
      // Optimum of the additive case by dynamic programming over the budget.
      const best = new Array<number>(budget + 1).fill(0)
      for (const { cost, worth } of options) {
        for (let room = budget; room >= cost; room--)
          best[room] = Math.max(best[room] ?? 0, (best[room - cost] ?? 0) + worth)
      }
      const choice = chooseControls({ options, budget, benefit, returns: 'diminishing' })
      expect(choice.method).toBe('greedy')
      expect(choice.benefit).toBeLessThanOrEqual(best[budget] ?? 0)
      expect(choice.bound).toBeGreaterThanOrEqual((best[budget] ?? 0) - 1e-9)
      expect(choice.gap).toBeCloseTo(choice.bound - choice.benefit, 12)
      // Additive benefit at least half of the optimum: the known guarantee of the better of both greedy orders.
      expect(choice.benefit).toBeGreaterThanOrEqual((best[budget] ?? 0) / 2)
    }),
  )
})

test('a negative budget or cost is refused', () => {
  const benefit = () => 0
  expect(() => chooseControls({ options: [], budget: -1, benefit, returns: 'any' })).toThrow(RangeError)
  expect(() => chooseControls({ options: costs(-1), budget: 1, benefit, returns: 'any' })).toThrow(RangeError)
  expect(() => chooseControls({ options: costs(Number.NaN), budget: 1, benefit, returns: 'any' })).toThrow(RangeError)
})
