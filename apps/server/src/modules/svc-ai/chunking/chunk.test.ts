import { describe, expect, test } from 'vitest'
import { assemble } from './assemble.ts'
import { chunksOf } from './chunk.ts'

const piece = (text: string, position = {}) => ({ position, text })

describe('the text of a document', () => {
  test('is its pieces without what no reader sees, with the places of its pages', () => {
    const { text, pages, hidden } = assemble([
      piece('One\u200b two\u{e0041}', { page: 1 }),
      piece('Three', { page: 1 }),
      piece('  ', { page: 2 }),
      piece('Four', { page: 3 }),
    ])
    expect(text).toBe('One two\n\nThree\n\nFour')
    expect(pages).toEqual([
      { start: 0, page: 1 },
      { start: 16, page: 3 },
    ])
    expect(text.slice(16)).toBe('Four')
    expect(hidden).toBe(2)
  })

  test('keeps the cells of a sheet in one paragraph', () => {
    const cells = ['a', 'b'].map((text, index) => piece(text, { sheet: 'S', cell: `A${index + 1}` }))
    expect(assemble(cells).text).toBe('a\nb')
  })
})

describe('chunks', () => {
  const sentences = Array.from({ length: 400 }, (_, index) => `Sentence number ${index} says something.`).join(' ')
  const samples = [
    ...['', 'short', sentences, 'x'.repeat(9_000), '😀'.repeat(4_000), `${'word '.repeat(3_000)}\n\n${sentences}`],
    Array.from({ length: 200 }, (_, index) => `Paragraph ${index}.`).join('\n\n'),
  ]

  test.each(samples.map((text) => [text.slice(0, 20), text] as const))('of %j joined are the text', (_name, text) => {
    const chunks = chunksOf({ text, pages: [] }, false)
    expect(chunks.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    for (const { start, end } of chunks) {
      expect(end - start).toBeLessThanOrEqual(2_400)
      expect(text.slice(start, end).isWellFormed()).toBe(true)
    }
  })

  test('begin at headings and pages and know both', () => {
    const text = '# Access\n\nWho may enter.\n\n## Keys\n\nKeys are numbered.\n\n# Exit\n\nDoors close.'
    const chunks = chunksOf({ text, pages: [{ start: 0, page: 1 }] }, true)
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Access'], ['Access', 'Keys'], ['Exit']])
    expect(chunks.every(({ page }) => page === 1)).toBe(true)
    const paged = chunksOf(
      {
        text: 'one\n\ntwo',
        pages: [
          { start: 0, page: 1 },
          { start: 5, page: 2 },
        ],
      },
      false,
    )
    expect(paged.map(({ start, page }) => [start, page])).toEqual([
      [0, 1],
      [5, 2],
    ])
  })
})
