import { expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import { search } from '../retrieval/search.ts'
import { segmentOf } from '../retrieval/segment.ts'
import { prepareDocument } from './prepare-task.ts'

test('a document is cut, scanned and indexed by its title, headings and text', () => {
  const text = '# Refunds\n\nMoney is returned within 30 days.\n\n# Travel\n\nWrite to travel@example.org about trains.'
  const document = prepareDocument.run(
    { title: 'Handbook', pieces: [{ position: {}, text }], markdown: true, language: 'english' },
    inPlace,
  )
  expect(document.chunks.map(({ text: own }) => own).join('')).toBe(text)
  expect(document).toMatchObject({ characters: text.length, hidden: 0, dataClass: 'confidential', language: 'english' })
  const segment = segmentOf(document.blocks, 'english')
  const { hits } = search([segment], 'refunds', { top: 5 })
  expect(hits.map(({ chunk }) => segment.ids[chunk])).toEqual(['0'])
  expect(search([segment], 'handbook', { top: 5 }).hits).toHaveLength(2)
})
