/** Looks at samples of datasets in threads, and judges what they hold. Tested in scans.test.ts. */
import type { Kernel } from '../../../kernel/kernel.ts'
import { NoThreadFree } from '../../../kernel/threads/thread.ts'
import type { Finding, Read, ScanRow } from '../declared/scan-schema.ts'
import { samplePlaces, undetectedPrevalence } from '../engine/sampling.ts'
import { judge } from '../engine/verdicts.ts'
import type { SampledDataset } from './reading.ts'
import { type ColumnHits, type ScannedColumn, scanColumns, scanPart } from './scan-task.ts'

export interface Examined {
  readonly datasets: readonly SampledDataset[]
  readonly findings: readonly Finding[]
  readonly reads: readonly Read[]
  readonly rows: number
  readonly characters: number
}

/** Documents are read whole; columns by a sample of their rows. */
export async function examine(
  { threads }: Pick<Kernel, 'threads'>,
  datasets: readonly SampledDataset[],
  sampling: ScanRow['sampling'],
): Promise<Examined> {
  const jobs = datasets.flatMap((dataset) =>
    dataset.columns.map((column) => ({ dataset, population: column.texts.length, column: sampleOf(column, sampling) })),
  )
  const hits = await hitsOf(
    threads,
    jobs.map(({ column }) => column),
  )
  const all = jobs.map((job, at) => ({ ...job, hits: hits[at] ?? emptyHits }))
  return {
    datasets,
    findings: all.flatMap(({ dataset, hits: found }) => findingsOf(`${dataset.namespace}|${dataset.name}`, found)),
    reads: all.map(({ dataset, population, column, hits: found }) => ({
      ...{ dataset: `${dataset.namespace}|${dataset.name}`, field: column.name, n: found.n, unread: found.unread },
      population: Math.max(population, dataset.population),
      undetected_prevalence_max: undetectedPrevalence({
        ...{ n: found.n, population: Math.max(population, dataset.population), confidence: sampling.confidence },
      }),
    })),
    rows: Math.max(0, ...all.map(({ hits: found }) => found.n)),
    characters: all.reduce((sum, { hits: found }) => sum + found.characters, 0),
  }
}

const emptyHits: ColumnHits = { name: null, n: 0, characters: 0, hits: [], examples: [], unread: 0 }

function sampleOf(column: ScannedColumn, { n, seed }: ScanRow['sampling']): ScannedColumn {
  if (column.name === null || column.texts.length <= n) return column
  return { name: column.name, texts: samplePlaces(column.texts.length, n, seed).map((at) => column.texts[at] ?? '') }
}

/** Large columns are cut, so that both threads have work and a borrowed one is given back soon. */
async function hitsOf(threads: Kernel['threads'], columns: readonly ScannedColumn[]): Promise<readonly ColumnHits[]> {
  const parts = columns.flatMap((column, at) => partsOf(column).map((part) => ({ at, part })))
  const found: ColumnHits[] = parts.map(() => emptyHits)
  let next = 0
  const work = async (borrows: boolean): Promise<void> => {
    for (let mine = next++; mine < parts.length; mine = next++) {
      const one = parts[mine]
      if (one !== undefined) found[mine] = await scanned(threads, one.part, borrows)
    }
  }
  await Promise.all([work(false), work(true)])
  // In the order of the text, so that the same sample has the same examples.
  const byColumn: ColumnHits[][] = columns.map(() => [])
  for (const [place, { at }] of parts.entries()) byColumn[at]?.push(found[place] ?? emptyHits)
  return byColumn.map((list, at) => merged(list, columns[at]?.name ?? null))
}

/** In the thread for bulk work, or in one for quick tasks that nobody else needs now. */
async function scanned(threads: Kernel['threads'], part: ScannedColumn, borrows: boolean): Promise<ColumnHits> {
  const isSmall = part.texts.reduce((sum, text) => sum + text.length, 0) < 2 * partCharacters
  if (borrows && isSmall) {
    try {
      const [hits = emptyHits] = await threads.run(scanPart, [part], { onlyIfFree: true })
      return hits
    } catch (error) {
      if (!(error instanceof NoThreadFree)) throw error
    }
  }
  const [hits = emptyHits] = await threads.run(scanColumns, [part])
  return hits
}

const partCharacters = 131_072

function partsOf({ name, texts }: ScannedColumn): readonly ScannedColumn[] {
  const parts: ScannedColumn[] = []
  let [part, characters]: [string[], number] = [[], 0]
  for (const text of texts) {
    part.push(text)
    characters += text.length
    if (characters < partCharacters) continue
    parts.push({ name, texts: part })
    ;[part, characters] = [[], 0]
  }
  return part.length === 0 && parts.length > 0 ? parts : [...parts, { name, texts: part }]
}

function merged(list: readonly ColumnHits[], name: string | null): ColumnHits {
  const hits = new Map<string, { hits: number; checked: number }>()
  for (const one of list)
    for (const { category, hits: count, checked } of one.hits) {
      const known = hits.get(category) ?? { hits: 0, checked: 0 }
      hits.set(category, { hits: known.hits + count, checked: known.checked + checked })
    }
  const sum = (pick: (one: ColumnHits) => number) => list.reduce((all, one) => all + pick(one), 0)
  return {
    ...{ name, n: sum(({ n }) => n), characters: sum((one) => one.characters), unread: sum(({ unread }) => unread) },
    hits: [...hits].map(([category, counts]) => ({ category, ...counts })),
    examples: list.flatMap(({ examples }) => examples),
  }
}

function findingsOf(dataset: string, { name, n, hits, examples }: ColumnHits): readonly Finding[] {
  return hits.map((one) => {
    // A document contains; only a column is something.
    const judged = judge(one, n, name)
    const verdict = name === null && judged.verdict === 'is' ? 'contains' : judged.verdict
    return {
      ...{ dataset, field: name, category: one.category, verdict, hits: judged.hits, n },
      ...{ wilson: [...judged.wilson], confidence: judged.confidence },
      examples_masked: examples
        .filter(({ category }) => category === one.category)
        .slice(0, 3)
        .map(({ text }) => text),
    }
  })
}
