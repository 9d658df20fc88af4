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

/** A recorder over a database that keeps what it is given, or is away. */
function recorderOver() {
  const clock = createFakeClock()
  const at = { isAway: false }
  const written: string[] = []
  const tx = {
    execute: async () => void written.push('counts'),
    emitAll: async (_event: object, happened: readonly object[]) => void written.push(...happened.map(() => 'hit')),
  }
  const db = {
    tenant: async (_scope: object, work: (given: typeof tx) => Promise<void>) => {
      if (at.isAway) throw new Error('away')
      await work(tx)
    },
  }
  const log = { warn: () => {}, error: () => {} }
  const recorder = createRecorder({ clock, db, log } as never)
  /** Lets the promises of a run go on. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
  }
  return { recorder, written, at, pass }
}

test('counts that the database does not take are handed in again', async () => {
  const { recorder, written, at } = recorderOver()
  at.isAway = true
  recorder.observe('t', asked())
  recorder.note(callOf(), [hit()])
  await recorder.flush()
  expect(written).toEqual([])
  at.isAway = false
  await recorder.flush()
  expect(written).toEqual(['counts', 'hit'])
  await recorder.flush()
  expect(written).toHaveLength(2)
})

test('a process that is killed loses the counts of ten seconds at most', async () => {
  const { recorder, written, pass } = recorderOver()
  await recorder.start()
  await pass(0)
  recorder.observe('t', asked())
  expect(written).toEqual([])
  await pass(10_000)
  expect(written).toEqual(['counts'])
  await recorder.stop()
})

test('an enforced hit is told within a quarter of a second', async () => {
  const { recorder, written, pass } = recorderOver()
  await recorder.start()
  await pass(0)
  recorder.note(callOf(), [hit()])
  await pass(250)
  expect(written).toEqual(['hit'])
  await recorder.stop()
})

test('an ordinary stop loses nothing, of hits that are only watched neither', async () => {
  const { recorder, written, pass } = recorderOver()
  await recorder.start()
  await pass(0)
  recorder.observe('t', asked())
  recorder.note(callOf(), [hit({ enforced: false })])
  await recorder.stop()
  expect(written).toEqual(['counts', 'hit'])
})
