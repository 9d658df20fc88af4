import { expect, test } from 'vitest'
import { createFakeClock } from '../../../../kernel/testing/fake-clock.ts'
import type { Hit } from '../engine/combine.ts'
import type { Asked } from '../engine/evaluate.ts'
import { callOf } from '../testing/contexts.ts'
import { type Cell, mergeCells, quantile, tally } from './cells.ts'
import { hitGroup } from './hit-groups.ts'
import { createRecorder } from './recorder.ts'

const asked = (over: Partial<Asked> = {}): Asked => ({
  ...{ guardrailId: 'g', version: 1, action: 'deny', matched: true, enforced: true, failed: false, us: 3, ...over },
})

function counted(all: readonly Asked[]): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  for (const one of all) tally(cells, { tenantId: 't', atMs: 90_000 }, one)
  return cells
}

test('evaluations of one version in one minute are one cell', () => {
  const cells = counted([
    asked(),
    asked({ enforced: false }),
    asked({ matched: false }),
    asked({ action: 'redact' }),
    asked({ action: 'hold' }),
    asked({ matched: false, failed: true }),
    asked({ version: 2 }),
  ])
  expect(cells.size).toBe(2)
  const [cell] = [...cells.values()]
  expect(cell).toMatchObject({ tenantId: 't', minute: 1, version: 1 })
  expect(cell?.counts).toEqual({
    ...{ evaluated: 6, matched: 4, would_block: 1, blocked: 2, redacted: 1, held: 1, errors: 1 },
  })
})

test('the time of evaluations is told as the next power of two', () => {
  const [cell] = [
    ...counted([
      ...Array.from({ length: 98 }, () => asked({ us: 3 })),
      asked({ us: 900 }),
      asked({ us: 5e9 }),
    ]).values(),
  ]
  expect([quantile(cell?.durations ?? [], 0.5), quantile(cell?.durations ?? [], 0.99)]).toEqual([4, 1_024])
  expect(quantile([], 0.5)).toBeNull()
})

test('what could not be written is counted with what came meanwhile', () => {
  const [before, since] = [counted([asked()]), counted([asked(), asked()])]
  mergeCells(since, [...before])
  expect([...since.values()].map(({ counts }) => counts.blocked)).toEqual([3])
})

const hit = (over: Partial<Hit> = {}): Hit => ({
  ...{ guardrailId: 'g', name: 'rail', kind: 'tool', version: 1, action: 'deny', mode: 'enforce', enforced: true },
  ...{ failed: false, reason: 'r', tags: [], ...over },
})

test('enforced hits name the call, and watched ones of an agent and a tool are one', () => {
  const other = callOf({ session: null, request: { id: 'r2', ip: null, model: null, tags: [] } })
  expect(hitGroup(callOf(), hit(), 1).key).not.toBe(hitGroup(other, hit(), 1).key)
  const watched = hit({ enforced: false })
  expect(hitGroup(callOf(), watched, 1).key).toBe(hitGroup(other, watched, 1).key)
  expect(hitGroup(callOf(), watched, 1).data).toMatchObject({ session_id: null, request_id: null, tool: 'wire' })
})

test('counts that the database does not take are handed in again', async () => {
  const clock = createFakeClock()
  let isAway = true
  const written: string[] = []
  const tx = {
    execute: async () => 1,
    emitAll: async (_event: object, happened: readonly object[]) => void written.push(...happened.map(() => 'hit')),
  }
  const db = {
    tenant: async (_scope: object, work: (given: typeof tx) => Promise<void>) => {
      if (isAway) throw new Error('away')
      await work(tx)
      written.push('transaction')
    },
  }
  const log = { warn: () => {}, error: () => {} }
  const recorder = createRecorder({ clock, db, log } as never)
  recorder.observe('t', asked())
  recorder.note(callOf(), [hit()])
  await recorder.flush()
  expect(written).toEqual([])
  isAway = false
  await recorder.flush()
  expect(written).toEqual(['hit', 'transaction'])
  await recorder.flush()
  expect(written).toHaveLength(2)
})
