/** Oracle: pdf.js, which had no part in writing the file. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pdfOf } from '../../../kernel/documents/pdf/pdf.ts'
import { frameworkScore } from '../scoring/score.ts'
import { assessmentDocument } from './document.ts'
import type { Snapshot, SnapshotResult } from './snapshot.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const words = ['satisfied', 'partially_satisfied', 'not_satisfied', 'not_assessed'] as const
const results = Array.from({ length: 300 }, (_, index): SnapshotResult => {
  const result = words[index % 4] ?? 'satisfied'
  return {
    ...{ control_id: id, framework_id: id, ref: `C-${index}`, title: `Control number ${index}`, result },
    ...{ share: null, grading: null, note: index === 2 ? 'Nobody looks at «it».' : null, source: 'person' },
    ...{ evidence_ids: index === 0 ? [id] : [], weight: 1 + (index % 3), evidence_value: index === 0 ? 1 : 0 },
    evidence: index === 0 ? [{ evidence_id: id, sha256: 'ab'.repeat(32) }] : [],
  }
})
const snapshot: Snapshot = {
  ...{ form: 'parapet/assessment/1', tenant_id: id, completed_at: '2026-01-02T03:04:05.678Z' },
  assessment: {
    ...{ id, name: 'Review of the year', type: 'framework', scope: 'organization', agent_id: null },
    ...{ period_start: null, period_end: null, assessor_ids: [id], approver_id: id, timetable: '2026-amended' },
  },
  frameworks: [
    {
      ...{ id, key: 'own', edition: '1', sha256: 'cd'.repeat(32) },
      score: frameworkScore(
        results.map(({ weight, result, share, evidence_value: evidence }) => ({
          ...{ weight, result, share, evidence, current: evidence > 0 },
        })),
      ),
    },
  ],
  ...{ coefficients: { alpha: 0.4 }, classification: null, results, notice: 'No legal determination.' },
}

interface Node {
  readonly role?: string
  readonly alt?: string
  readonly children?: readonly Node[]
}
const nodes = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodes)]

test('another reader finds every control, the notices and a tree of headings, tables and a figure', async () => {
  const reader = fileURLToPath(new URL('../../../../test/support/read-pdf.mjs', import.meta.url))
  const bytes = await pdfOf(assessmentDocument(snapshot))
  // In a process of its own, because pdf.js changes prototypes.
  const read: { text: string; marked: unknown; info: Record<string, unknown>; trees: Node[] } = JSON.parse(
    execFileSync(process.execPath, [reader], { input: bytes, maxBuffer: 2 ** 26 }).toString(),
  )
  for (const { ref, title } of results) expect(read.text.includes(ref) && read.text.includes(title)).toBe(true)
  expect(read.text).toContain('No legal determination.')
  expect(read.text).toContain('Nobody looks at «it».')
  expect(read.text).toContain('ab'.repeat(32).slice(0, 12))
  expect(read.marked).toMatchObject({ Marked: true })
  expect(read.info).toMatchObject({ Title: 'Review of the year', Language: 'en-US' })
  const all = read.trees.flatMap(nodes)
  expect(all.filter(({ role }) => role === 'H1')).toHaveLength(1)
  expect(all.filter(({ role }) => role === 'H2').length).toBeGreaterThanOrEqual(3)
  expect(all.filter(({ role }) => role === 'TD').length).toBeGreaterThan(2_400)
  expect(all.find(({ role }) => role === 'Figure')?.alt).toContain('satisfied 75')
})

test('equal snapshots give equal bytes, and another result another id', async () => {
  const idOf = (bytes: Uint8Array) => /\/ID \[<([0-9a-f]+)>/.exec(Buffer.from(bytes).toString('latin1'))?.[1]
  const few = { ...snapshot, results: results.slice(0, 5) }
  const [first, again] = [await pdfOf(assessmentDocument(few)), await pdfOf(assessmentDocument(structuredClone(few)))]
  expect(Buffer.compare(first, again)).toBe(0)
  const other = await pdfOf(assessmentDocument({ ...few, results: results.slice(0, 4) }))
  expect(idOf(first)).toMatch(/^[0-9a-f]{32}$/)
  expect(idOf(other)).not.toBe(idOf(first))
})
