import { expect, test } from 'vitest'
import { search } from './search.ts'
import { countIn, localTerm, mostChunks, postingsOf, segmentOf } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

const chunk = (id: string, text: string) => ({ id, text, quarantined: false })
const words = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(' ')

test('segments of a source share one vocabulary, and each counts its own terms', () => {
  const vocabulary = new Vocabulary()
  const first = segmentOf(postingsOf([chunk('a', 'heron heron otter')], 'simple'), 'simple', vocabulary)
  const known = vocabulary.bytes
  const second = segmentOf(postingsOf([chunk('b', 'otter heron')], 'simple'), 'simple', vocabulary)
  expect(vocabulary.bytes).toBe(known)
  expect(countIn(first, localTerm(first, 'heron'), 0)).toBe(2)
  expect(countIn(second, localTerm(second, 'heron'), 0)).toBe(1)
  expect(localTerm(first, 'lynx')).toBe(-1)
  const third = segmentOf(postingsOf([chunk('c', 'lynx')], 'simple'), 'simple', vocabulary)
  // A term that another segment of the source has is none of this one.
  expect([localTerm(third, 'heron'), localTerm(first, 'lynx')]).toEqual([-1, -1])
})

test('more terms than two bytes number keep their counts for feedback', () => {
  const many = Array.from({ length: 10 }, (_, at) =>
    chunk(
      `c${at}`,
      words(8_000, (n) => `t${at * 8_000 + n}`),
    ),
  )
  const segment = segmentOf(postingsOf([...many, chunk('last', 'otter t79999 otter')], 'simple'), 'simple')
  expect(segment.terms).toHaveLength(80_001)
  const own = segment.chunkTerms.subarray(segment.chunkStarts[10], segment.chunkStarts[11])
  expect([...own].map((local) => segment.vocabulary.nameOf(segment.terms[local] ?? 0)).sort()).toEqual([
    'otter',
    't79999',
  ])
  expect(countIn(segment, localTerm(segment, 'otter'), 10)).toBe(2)
  expect(
    search([segment], 't79999', { top: 3, rm3: 'off' })
      .hits.map(({ chunk: at }) => at)
      .sort(),
  ).toEqual([10, 9])
})

test('a term counts 255 times in a chunk at most', () => {
  const segment = segmentOf(
    postingsOf(
      [
        chunk(
          'a',
          words(400, () => 'heron'),
        ),
      ],
      'simple',
    ),
    'simple',
  )
  expect(countIn(segment, localTerm(segment, 'heron'), 0)).toBe(255)
  expect(segment.lengths[0]).toBe(400)
})

test('a segment of more chunks than a place can name is refused', () => {
  const chunks = Array.from({ length: mostChunks + 1 }, (_, n) => ({ id: `${n}`, length: 0, quarantined: false }))
  expect(() => segmentOf([{ chunks, postings: [] }], 'simple')).toThrow(RangeError)
})
