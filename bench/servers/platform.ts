/**
 * The whole program for platform.mjs, which may call this machine. Messages: `runs` begins runs as events do and answers when
 * all have ended, `single` does so one by one, `events` raises events at a pace, `csv` writes a long table as a report does.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { reportCompleted } from '../../apps/server/src/modules/platform/reports/events.ts'
import { documentOf } from '../../apps/server/src/modules/platform/reports/model/document.ts'
import { rendered } from '../../apps/server/src/modules/platform/reports/render.ts'
import { signDetached } from '../../apps/server/src/modules/platform/reports/sign.ts'
import type { WorkflowRow } from '../../apps/server/src/modules/platform/workflows/declared/schema.ts'
import { workflows } from '../../apps/server/src/modules/platform/workflows/declared/tables.ts'
import { startRun } from '../../apps/server/src/modules/platform/workflows/start.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { program, port, token } = await startWholeProgram({
  PARAPET_RATE_LIMIT_EXPENSIVE: '100000000',
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
  ...(process.env.PARAPET_DATABASE_URL === undefined ? {} : { PARAPET_DATABASE_URL: process.env.PARAPET_DATABASE_URL }),
})
const { kernel } = program.assembled

type Message =
  | {
      readonly type: 'runs' | 'single'
      readonly tenantId: TenantId
      readonly workflowId: string
      readonly count: number
    }
  | { readonly type: 'events'; readonly tenantId: TenantId; readonly count: number; readonly perSecond: number }
  | { readonly type: 'csv'; readonly tenantId: TenantId; readonly rows: number }
type Of<T extends 'events' | 'csv'> = Extract<Message, { readonly type: T }>
type Running = Pick<Extract<Message, { readonly workflowId: string }>, 'tenantId' | 'workflowId' | 'count'>

async function begin({ tenantId, workflowId }: Running, count: number): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const workflow: WorkflowRow = await workflows.need(tx, workflowId)
    for (let n = 0; n < count; n += 1)
      await startRun(kernel, tx, {
        ...{ workflow, number: workflow.version, definition: workflow.definition, event: null, input: {}, depth: 1 },
        trigger: { type: 'event', event_id: kernel.random.uuid(), channel: 'bench', scheduled_at: null },
        ...{ requestedBy: null, triggerKey: null },
      })
  })
}

async function openRuns({ tenantId, workflowId }: Running): Promise<number> {
  const [row] = await kernel.db.read(
    tenantId,
    sql<{ open: number }>`
      select count(*)::int as open from platform_run
      where workflow_id = ${workflowId} and status in ('queued', 'running', 'waiting')`,
  )
  return row?.open ?? 0
}

/** From the first one to the end of the last, with the work of beginning them, fifty in a transaction as of one batch of events. */
async function runs(message: Running) {
  const began = performance.now()
  for (let n = 0; n < message.count; n += 50) await begin(message, Math.min(50, message.count - n))
  while ((await openRuns(message)) > 0) await sleep(20)
  return { ms: performance.now() - began }
}

async function single(message: Running) {
  const times: number[] = []
  for (let n = 0; n < message.count; n += 1) {
    const began = performance.now()
    await begin(message, 1)
    while ((await openRuns(message)) > 0) await setImmediate()
    times.push(performance.now() - began)
  }
  return { times }
}

const now = (): number => performance.timeOrigin + performance.now()

/** Answers when each event was raised, by its subject. */
async function events({ tenantId, count, perSecond }: Of<'events'>) {
  const raised: Record<string, number> = {}
  const began = performance.now()
  for (let n = 0; n < count; n += 1) {
    const wait = began + (n * 1_000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait)
    const id = kernel.random.uuid()
    raised[id] = now()
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.emit(reportCompleted, id, {
        ...{ report_id: id, kind: 'trust', formats: ['json'], sha256: ['0'.repeat(64)], created_by: id },
      }),
    )
  }
  return { raised }
}

/** Bytes that the process holds at most, beyond what it holds with the table in memory. */
async function csv({ tenantId, rows }: Of<'csv'>) {
  const data = {
    rows: Array.from({ length: rows }, (_, n) => ({ name: `Row ${n}`, severity: 'high', count: n, open: n % 2 === 0 })),
  }
  const head = {
    ...{ tenant_id: tenantId, report_id: tenantId, kind: 'custom', title: 'Bench', snapshot_at: kernel.clock.iso() },
    ...{ days: 30, omitted: [] },
  } as const
  const document = documentOf(head, [{ name: 'bench.rows', description: '', data }])
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  // The high-water mark begins anew.
  writeFileSync('/proc/self/clear_refs', '5')
  const began = performance.now()
  const bytes = await rendered(document, 'csv')
  await signDetached(kernel.signingKeys, bytes)
  await kernel.blobs.put(
    tenantId,
    (async function* content() {
      yield bytes
    })(),
  )
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024
  return { ms: performance.now() - began, bytes: bytes.byteLength, extra: peak - before }
}

process.on('message', async (message: Message) => {
  if (message.type === 'runs') process.send?.({ type: 'runs', ...(await runs(message)) })
  if (message.type === 'single') process.send?.({ type: 'single', ...(await single(message)) })
  if (message.type === 'events') process.send?.({ type: 'events', ...(await events(message)) })
  if (message.type === 'csv') process.send?.({ type: 'csv', ...(await csv(message)) })
})
answerUsage({ port, token })
