import { describe, expect, test } from 'vitest'
import { search } from './search.ts'
import { postingsOf, type Segment, segmentOf } from './segment.ts'
import { termsOf } from './tokenize.ts'
import { Top } from './top.ts'

const texts = [
  'A password has at least fourteen characters.',
  'Laptops are encrypted. A lost laptop is reported within an hour.',
  'Visitors sign in at the desk and wear a badge.',
  'A password that was leaked is changed at once. The password manager stores each password.',
]
const segment = (of: readonly string[], quarantined: readonly number[] = []): Segment =>
  segmentOf(
    postingsOf(
      of.map((text, index) => ({ id: `c${index}`, text, quarantined: quarantined.includes(index) })),
      'english',
    ),
    'english',
  )

/** The formula, written down once more over plain arrays. */
function plainScore(of: readonly string[], question: string, chunk: number): number {
  const documents = of.map((text) => termsOf(text, 'english'))
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const asked = termsOf(question, 'english')
  return asked.reduce((sum, term) => {
    const df = documents.filter((terms) => terms.includes(term)).length
    const own = documents[chunk] ?? []
    const tf = own.filter((one) => one === term).length
    const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5))
    return sum + (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * own.length) / mean)) / asked.length
  }, 0)
}

describe('a search', () => {
  test('scores by the formula of BM25', () => {
    const { hits } = search([segment(texts)], 'leaked password', { top: 10, rm3: 'off' })
    expect(hits.map(({ chunk }) => chunk)).toEqual([3, 0])
    for (const { chunk, score } of hits) expect(score).toBeCloseTo(plainScore(texts, 'leaked password', chunk), 10)
  })

  test('over two segments ranks as over one that holds both', () => {
    const whole = search([segment(texts)], 'a lost laptop or password', { top: 10, rm3: 'off' })
    const parts = search([segment(texts.slice(0, 2)), segment(texts.slice(2))], 'a lost laptop or password', {
      ...{ top: 10, rm3: 'off' },
    })
    expect(parts.hits.map(({ segment: at, chunk }) => at * 2 + chunk)).toEqual(whole.hits.map(({ chunk }) => chunk))
    expect(parts.hits.map(({ score }) => score.toFixed(9))).toEqual(whole.hits.map(({ score }) => score.toFixed(9)))
  })

  test('never gives a quarantined chunk, and tells which would have been among the hits', () => {
    const found = search([segment(texts, [3])], 'leaked password', { top: 10, rm3: 'off' })
    expect(found.hits.map(({ chunk }) => chunk)).toEqual([0])
    expect(found.quarantined.map(({ chunk }) => chunk)).toEqual([3])
  })

  test('is expanded by what the best chunks have in common', () => {
    const many = Array.from({ length: 60 }, (_, index) => `Filler text number ${index} about nothing at all.`)
    const own = ['The turbine blade cracked under thermal stress.', 'Thermal stress cracks each rotor of an engine.']
    const found = search([segment([...many, ...own])], 'turbine blade cracked stress', { top: 5, rm3: 'auto' })
    expect(found.expanded).toBe(true)
    expect(found.hits.slice(0, 2).map(({ chunk }) => chunk)).toEqual([60, 61])
  })

  test('of nothing finds nothing', () => {
    expect(search([], 'password', { top: 5 }).hits).toEqual([])
    expect(search([segment(texts)], 'the of and', { top: 5 }).hits).toEqual([])
    expect(search([segment([])], 'password', { top: 5 }).hits).toEqual([])
  })
})

test('the best of many are the same as of a full sort', () => {
  const scores = Array.from({ length: 500 }, (_, index) => (index * 7919) % 101)
  const top = new Top<number>(20)
  scores.forEach((score, index) => {
    top.add(score, index)
  })
  const sorted = scores.map((score, index) => ({ score, index })).sort((a, b) => b.score - a.score || a.index - b.index)
  expect(top.sorted()).toEqual(sorted.slice(0, 20).map(({ index }) => index))
})
