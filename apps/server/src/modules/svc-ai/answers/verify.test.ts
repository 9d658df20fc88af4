import { describe, expect, test } from 'vitest'
import type { Passage } from './passage.ts'
import { plainText } from './plain-text.ts'
import { sentencesOf } from './sentences.ts'
import { verifyAnswer } from './verify.ts'

const document =
  'Preface. Refunds are paid within 30 days of delivery. A refund is not paid for opened software. The service desk answers within two working days. Control A.5.23 covers cloud services.'
const passage = (start: number, end: number, number: number): Passage => ({
  ...{ chunkId: `chunk-${number}`, sourceId: 'source', documentId: 'document', title: 'Handbook', headingPath: [] },
  ...{
    page: null,
    start,
    end,
    text: document.slice(start, end),
    score: 1,
    ranks: { lexical: 1, dense: null },
    classification: 'internal',
  },
})
const cut = document.indexOf('The service')
const passages = [passage(9, cut, 1), passage(cut, document.length, 2)]
const verify = (answer: string) => verifyAnswer(answer, passages)

describe('citations', () => {
  test('quote the document by offsets', () => {
    const { citations, groundedness, text } = verify(
      'Refunds are paid within 30 days [1]. The service desk answers within two working days [2].',
    )
    expect(text).toContain('[1]')
    expect(citations.map(({ index }) => index)).toEqual([1, 2])
    for (const { start, end, quote } of citations) expect(document.slice(start, end)).toBe(quote)
    expect(citations[0]?.quote).toBe('Refunds are paid within 30 days of delivery.')
    expect(groundedness?.score).toBeGreaterThan(0.8)
  })

  test.each(['[9]', '[0]', '[2, 17]', '【44†source】', '[^12]', '[100][101]'])(
    'that were invented are removed: %s',
    (invented) => {
      const { text, rejected, citations } = verify(`Refunds are paid within 30 days ${invented}.`)
      expect(rejected).toBeGreaterThan(0)
      expect(text.match(/\d+(?=\])/g)?.every((number) => ['1', '2'].includes(number)) ?? true).toBe(true)
      for (const { index } of citations) expect([1, 2]).toContain(index)
    },
  )

  test('are made for a sentence without a marker only where a passage supports it', () => {
    expect(verify('Refunds are paid within 30 days of delivery.').citations.map(({ index }) => index)).toEqual([1])
    expect(verify('Bananas are yellow and grow in warm countries.').citations).toEqual([])
  })
})

describe('groundedness', () => {
  const scoreOf = (answer: string) => verify(answer).groundedness?.score ?? 0
  const good = 'Refunds are paid within 30 days of delivery [1].'

  test.each([
    ['a number', 'Refunds are paid within 90 days of delivery [1].'],
    ['a negation', 'Refunds are not paid within 30 days of delivery [1].'],
    ['an identifier', 'Control A.8.99 covers cloud services [2].'],
    ['a subject', 'Bananas ripen in warm countries near the sea [1].'],
  ])('falls with %s that the passage has not', (_what, answer) => {
    expect(scoreOf(good)).toBeGreaterThan(0.6)
    expect(scoreOf(answer)).toBeLessThanOrEqual(0.35)
  })

  test('of nothing is nothing', () => {
    expect(verify('').groundedness).toBeNull()
    expect(verifyAnswer('Some text.', []).groundedness?.score).toBe(0)
  })
})

test.each([
  ['![x](https://evil.example/p.png?d=secret)', 'x'],
  ['See [the page](https://evil.example).', 'See the page.'],
  ['<img src="https://evil.example/x">Text', 'Text'],
  ['Go to https://evil.example/a?b=secret now', 'Go to evil.example (link removed) now'],
  ['[1]: https://evil.example', ''],
  ['Paid [1].', 'Paid [1].'],
])('an answer is text: %j becomes %j', (answer, text) => {
  expect(plainText(answer)).toBe(text)
})

test('sentences hold everything but space, and know abbreviations', () => {
  const text = 'One, e.g. this. Two? [1]\nThree without an end'
  expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    ...['One, e.g. this.', 'Two? [1]', 'Three without an end'],
  ])
})
