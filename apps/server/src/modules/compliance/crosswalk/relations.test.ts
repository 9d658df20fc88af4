import { expect, test } from 'vitest'
import { type Composed, compose, inverse, type Relation, relationOf, relations } from './relations.ts'

/** Non-empty sets of seven obligations as bits. */
const most = 2 ** 7

function relationBetween(a: number, b: number): Relation {
  if (a === b) return 'equal-to'
  if ((a & b) === a) return 'subset-of'
  if ((a & b) === b) return 'superset-of'
  return (a & b) === 0 ? 'no-relationship' : 'intersects-with'
}

test('the table of compositions is the one of all triples of sets', () => {
  const seen = new Map<string, Set<Relation>>()
  for (let a = 1; a < most; a += 1)
    for (let b = 1; b < most; b += 1) {
      const first = relationBetween(a, b)
      for (let c = 1; c < most; c += 1) {
        const key = `${first} ${relationBetween(b, c)}`
        const found = seen.get(key) ?? new Set()
        seen.set(key, found.add(relationBetween(a, c)))
      }
    }
  const expected = (found: ReadonlySet<Relation>): Composed => {
    if (found.size === 1) return [...found][0] ?? null
    return found.has('no-relationship') ? null : 'overlap'
  }
  const counts = { exact: 0, overlap: 0, nothing: 0 }
  for (const first of relations)
    for (const second of relations) {
      const composed = compose(first, second)
      expect(composed, `${first} after ${second}`).toBe(expected(seen.get(`${first} ${second}`) ?? new Set()))
      counts[composed === null ? 'nothing' : composed === 'overlap' ? 'overlap' : 'exact'] += 1
    }
  expect(counts).toEqual({ exact: 13, overlap: 3, nothing: 9 })
})

test('a relation read from its other end is that of the sets changed round', () => {
  for (let a = 1; a < 32; a += 1)
    for (let b = 1; b < 32; b += 1) expect(inverse(relationBetween(a, b))).toBe(relationBetween(b, a))
})

test('words of other tools are read, and others are refused', () => {
  expect(['equal', 'Subset of', 'superset', 'INTERSECT', 'not related to'].map(relationOf)).toEqual([...relations])
  expect(relationOf('similar')).toBeNull()
})
