/** Oracle: pdf.js, which had no part in writing the files, and the bytes of the objects themselves. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pdfOf } from '../../../kernel/documents/pdf/pdf.ts'
import { type DocumentHead, documentOf, writtenOf } from './model/document.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const head: DocumentHead = {
  ...{ tenant_id: id, report_id: id, kind: 'executive', title: 'Bericht für «Ελλάδα»', days: 30, omitted: [] },
  snapshot_at: '2026-01-02T03:04:05.678Z',
}
const risks = Array.from({ length: 120 }, (_, index) => ({
  ...{ id: `risk-${index}`, title: `Risk number ${index}`, rating: index % 2 === 0 ? 'high' : 'low', score: index / 2 },
}))
const days = Array.from({ length: 30 }, (_, index) => ({
  ...{ calculated_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(), score: 50 + index },
}))
const pillars = { security: { score: 81.25, weight: 0.3 }, compliance: { score: 64.5, weight: 0.2 } }
const wide = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`column_${index}`, `value ${index}`]))
const readings = [
  { name: 'trust.score', description: 'The current score.', data: { score: { composite_score: 77.31, pillars } } },
  { name: 'trust.history', description: 'The score by day.', data: { days } },
  { name: 'risk.register', description: 'Open risks.', data: { very_high: 0, high: 60, low: 60, risks } },
  {
    name: 'iam.agents',
    description: 'Names in any script: 中.',
    data: { note: 'x'.repeat(6_000), agents: [{ name: '中' }], wide: [wide] },
  },
]
const document = writtenOf(documentOf(head, readings))

/** In a process of its own, because pdf.js changes prototypes. */
function opened(bytes: Uint8Array): Read {
  const reader = new URL('../../../../test/support/read-pdf.mjs', import.meta.url)
  return JSON.parse(
    execFileSync(process.execPath, [fileURLToPath(reader)], { input: bytes, maxBuffer: 2 ** 26 }).toString(),
  )
}

interface Read {
  readonly info: Readonly<Record<string, unknown>>
  readonly marked: unknown
  readonly outline: readonly { readonly title: string; readonly items: readonly unknown[] }[]
  readonly pages: number
  readonly text: string
  readonly trees: readonly Node[]
}

interface Node {
  readonly role?: string
  readonly alt?: string
  readonly children?: readonly Node[]
}
const nodes = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodes)]

test('another reader finds every number, in reading order', async () => {
  const { pages, text } = opened(await pdfOf(document))
  expect(pages).toBeGreaterThan(2)
  for (const { title, id: key } of risks) expect(text.includes(title) && text.includes(key)).toBe(true)
  const order = [
    'Bericht für «Ελλάδα»',
    'The current score.',
    '77.31',
    '81.25',
    'The score by day.',
    'Open risks.',
    'Risk number 0',
    'Risk number 119',
  ]
  const places = order.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(text).toContain('1. Column 0: value 0; Column 1: value 1;')
  // The font has no Han.
  expect(text).toContain('\\u{4e2d}')
})

test('it has language, title, date, bookmarks and a tree of headings, tables and figures with alternatives', async () => {
  const bytes = await pdfOf(document)
  const { info, marked, outline, trees } = opened(bytes)
  expect(info).toMatchObject({ Title: head.title, Language: 'en-US', CreationDate: 'D:20260102030405Z' })
  expect(marked).toMatchObject({ Marked: true })
  expect(outline.map(({ title, items }) => [title, items.length])).toEqual([
    ['Score', 1],
    ['History', 2],
    ['Register', 2],
    ['Agents', 2],
  ])
  const all = trees.flatMap(nodes)
  const count = (role: string) => all.filter((node) => node.role === role).length
  expect(count('H1')).toBe(1)
  expect(count('H2')).toBeGreaterThanOrEqual(4)
  expect(count('TH')).toBeGreaterThan(4)
  expect(count('TD')).toBeGreaterThan(480)
  const alternatives = all.filter(({ role }) => role === 'Figure').map(({ alt }) => alt)
  expect(alternatives).toEqual([
    'Pillars: Security 81.25, Compliance 64.5',
    'Trust score: Score by Calculated at in 30 points, from 50 at 2026-01-01 to 79 at 2026-01-30, least 50 at 2026-01-01, most 79 at 2026-01-30',
    'Risks by rating: Very high 0, High 60, Low 60',
  ])
  const raw = Buffer.from(bytes).toString('latin1')
  for (const part of ['/StructTreeRoot', '/MarkInfo', '/Lang', '/FontFile2']) expect(raw).toContain(part)
  expect(raw).not.toMatch(/\/JavaScript|\/JS |\/URI|\/Launch/)
})

test('equal documents give equal bytes, and another document another id', async () => {
  const [first, second] = [
    await pdfOf(document),
    await pdfOf(writtenOf(documentOf({ ...head }, structuredClone(readings)))),
  ]
  expect(Buffer.compare(first, second)).toBe(0)
  const idOf = (bytes: Uint8Array) => /\/ID \[<([0-9a-f]+)>/.exec(Buffer.from(bytes).toString('latin1'))?.[1]
  const other = await pdfOf(writtenOf(documentOf(head, readings.slice(1))))
  expect(idOf(first)).toMatch(/^[0-9a-f]{32}$/)
  expect(idOf(other)).not.toBe(idOf(first))
})
