/** The floor of retrieval without a model, on the public Cranfield collection. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ndcg, recall } from './measures.ts'
import { search } from './search.ts'
import { postingsOf, segmentOf } from './segment.ts'

const folder = new URL('../../../../../../../shared/data/cranfield/', import.meta.url)
const isThere = existsSync(folder)

interface Line {
  readonly id: string
  readonly text: string
}
const lines = (file: string): readonly string[] => readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
const objects = (file: string): readonly Line[] => lines(file).map((line) => JSON.parse(line))

function judgments(): ReadonlyMap<string, Map<string, number>> {
  const gains = new Map<string, Map<string, number>>()
  for (const line of lines('judgments.tsv').slice(1)) {
    const [query = '', document = '', grade = ''] = line.split('\t')
    const gain = Number(grade) >= 1 && Number(grade) <= 4 ? 5 - Number(grade) : 0
    gains.set(query, (gains.get(query) ?? new Map<string, number>()).set(document, gain))
  }
  return gains
}

test('Cranfield is searched at least as well as published BM25', (context) => {
  if (!isThere) context.skip(`there is no ${folder.pathname}`)
  const chunks = objects('documents.jsonl').map(({ id, text }) => ({ id, text, quarantined: false }))
  const segment = segmentOf(postingsOf(chunks, 'english'), 'english')
  const gains = judgments()
  const measured = (rm3: 'auto' | 'off') => {
    const scores = objects('queries.jsonl').map(({ id, text }) => {
      const ranking = search([segment], text, { top: 100, rm3 }).hits.map(({ chunk }) => segment.ids[chunk] ?? '')
      const relevant = gains.get(id) ?? new Map()
      return { ndcg: ndcg(ranking, relevant, 10), recall: recall(ranking, relevant, 100) }
    })
    const mean = (of: 'ndcg' | 'recall') => scores.reduce((sum, score) => sum + score[of], 0) / scores.length
    return { ndcg: mean('ndcg'), recall: mean('recall') }
  }
  const [plain, expanded] = [measured('off'), measured('auto')]
  expect(plain.ndcg).toBeGreaterThanOrEqual(0.52)
  expect(plain.recall).toBeGreaterThanOrEqual(0.76)
  expect(expanded.ndcg).toBeGreaterThanOrEqual(0.53)
  expect(expanded.recall).toBeGreaterThanOrEqual(0.78)
})
