import { expect, test } from 'vitest'
import { eachSentence, sentenceEnds } from './spans.ts'

const sentences = (text: string): string[] => {
  let from = 0
  return [...sentenceEnds(text)].map((end) => {
    const sentence = text.slice(from, end)
    from = end
    return sentence.trim()
  })
}

const wrapped =
  'the service keeps what it is told until the disk is full and then\nrefuses new work. it says so in its log.'

test('a sentence goes on over the end of a wrapped line', () => {
  expect(sentences(wrapped)).toEqual([
    'the service keeps what it is told until the disk is full and then\nrefuses new work.',
    'it says so in its log.',
  ])
})

test('short lines, lists, headings with a colon and lines of data end where they end', () => {
  expect(sentences('name: gateway\nport: 8080')).toHaveLength(2)
  expect(sentences('these are the things that everybody has to bring on the day\n- a pen\n- paper')).toHaveLength(3)
  expect(sentences('these are the things that everybody has to bring on the day:\na pen')).toHaveLength(2)
  expect(sentences(`${'a'.repeat(120)}\nnext`)).toHaveLength(2)
})

test('text without full stops is not one sentence', () => {
  const line = 'words that never come to an end because nobody puts a stop there'
  const found = sentences(Array.from({ length: 20 }, () => line).join('\n'))
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(400)
})

test('spans judged lie within the text and cover a wrapped sentence as a whole', () => {
  const spans: string[] = []
  eachSentence(sentenceEnds(wrapped), (start, end) => spans.push(wrapped.slice(start, end)))
  expect(spans).toContain(wrapped.slice(0, wrapped.indexOf('.') + 1))
})
