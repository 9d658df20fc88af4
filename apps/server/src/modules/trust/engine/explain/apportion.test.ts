import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apportion } from './apportion.ts'

const parts = fc.array(fc.double({ min: -10_000, max: 10_000, noNaN: true }), { minLength: 1, maxLength: 40 })

test('the unit that is missing goes to the part that lost most', () => {
  expect(apportion([1.5, 2.7, 3.8], 8)).toEqual([1, 3, 4])
  expect(apportion([-1.5, 0, 2.7], 1)).toEqual([-2, 0, 3])
  expect(apportion([0, 0], 0)).toEqual([0, 0])
})

test('rounded parts add up to the rounded sum, each less than one unit away, and nothing stays nothing', () => {
  fc.assert(
    fc.property(parts, (exact) => {
      const total = Math.round(exact.reduce((sum, part) => sum + part, 0)) + 0
      fc.pre(total === 0 || exact.some((part) => part !== 0))
      const rounded = apportion(exact, total)
      expect(rounded.reduce((sum, part) => sum + part, 0)).toBe(total)
      rounded.forEach((part, place) => {
        expect(Math.abs(part - (exact[place] ?? 0))).toBeLessThan(2)
        if (exact[place] === 0) expect(part).toBe(0)
        expect(Object.is(part, -0)).toBe(false)
      })
    }),
  )
})

test('where the total was rounded elsewhere, every unit finds a place', () => {
  expect(apportion([0.2, 0.2], 2)).toEqual([1, 1])
  expect(apportion([0.2, 0.4], -1)).toEqual([-1, 0])
  expect(() => apportion([0], 1)).toThrow(RangeError)
})
