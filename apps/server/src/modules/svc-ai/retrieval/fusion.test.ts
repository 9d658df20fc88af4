import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuse } from './fusion.ts'

test('the score is the sum of 1 / (60 + rank), and two rankings outweigh one', () => {
  const fused = fuse([
    ['a', 'b', 'c'],
    ['c', 'd'],
  ])
  expect(fused.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd'])
  expect(fused[0]).toEqual({ id: 'c', score: 1 / 63 + 1 / 61, ranks: [3, 1] })
  expect(fused[1]).toEqual({ id: 'a', score: 1 / 61, ranks: [1, null] })
})

test('of equals the one of the earlier ranking is first', () => {
  expect(fuse([['x'], ['y']]).map(({ id }) => id)).toEqual(['x', 'y'])
  expect(fuse([['y'], ['x']]).map(({ id }) => id)).toEqual(['y', 'x'])
})

test('of one ranking, or of two that agree, the order stays', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 30 }), (ranking) => {
      expect(fuse([ranking]).map(({ id }) => id)).toEqual(ranking)
      expect(fuse([ranking, ranking]).map(({ id }) => id)).toEqual(ranking)
    }),
  )
})
