import { describe, expect, test } from 'vitest'
import { patternFaults } from '../../text/automaton/linear-pattern.ts'
import { ruleFaults } from '../rules/rule-faults.ts'
import { allRules } from './packs.ts'

describe('the shipped rules', () => {
  test('hold on their own examples', () => {
    expect(ruleFaults(allRules)).toEqual([])
  })

  test('have ids of their own, two examples of each kind and a weight above 0 and at most 1', () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length)
    expect(
      allRules.filter(
        ({ tests, weight }) => tests.hit.length < 2 || tests.miss.length < 2 || weight <= 0 || weight > 1,
      ),
    ).toEqual([])
  })

  test('C24 have only patterns that take linear time and carry no state', () => {
    const patterns = allRules.flatMap((rule) => ('pattern' in rule ? [rule] : []))
    expect(
      patterns.flatMap(({ id, pattern }) => patternFaults(pattern.source).map((fault) => `${id}: ${fault}`)),
    ).toEqual([])
    expect(patterns.filter(({ pattern, window }) => pattern.global || pattern.sticky || window > 256)).toEqual([])
  })
})
