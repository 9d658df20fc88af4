import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonRegions, worksWithin } from './regions.ts'

test('a union allows its countries, and a union within it', () => {
  expect([worksWithin(['DE', 'FR'], ['EU']), worksWithin(['EU'], ['EEA']), worksWithin(['EEA'], ['EU'])]).toEqual([
    ...[true, true, false],
  ])
  expect([worksWithin(['NO'], ['EU']), worksWithin(['NO'], ['EEA']), worksWithin([], ['EU'])]).toEqual([
    ...[false, true, false],
  ])
})

test('what two lists have in common is the smaller of what overlaps', () => {
  expect(commonRegions(['EU'], ['DE', 'US'])).toEqual(['DE'])
  expect(commonRegions(['EEA', 'US'], ['EU', 'US'])).toEqual(['US', 'EU'])
  expect(commonRegions(['DE'], ['FR'])).toEqual([])
})

test('a place is within the common regions if, and only if, it is within both', () => {
  const lists = fc.subarray(['EU', 'EEA', 'DE', 'FR', 'NO', 'US', 'CH'])
  const places = fc.subarray(['EU', 'DE', 'NO', 'US', 'CH', 'IS'], { minLength: 1 })
  fc.assert(
    fc.property(lists, lists, places, (one, other, place) => {
      expect(worksWithin(place, commonRegions(one, other))).toBe(worksWithin(place, one) && worksWithin(place, other))
    }),
  )
})
