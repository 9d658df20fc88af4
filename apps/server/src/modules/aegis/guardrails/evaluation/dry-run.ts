/**
 * Tries guardrails on samples or on recorded calls. Promises that nothing is enforced, counted or told, that a long window
 * goes on where its cursor says, and that the process serves others between the pages. Tested in evaluation.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor, TenantId } from '../../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { invalid } from '../authoring/definition.ts'
import type { GuardedAgent } from '../engine/context.ts'
import { type Candidates, candidatesOf } from './candidates.ts'
import { createJudge } from './judge.ts'
import { readLabels } from './labels.ts'
import { itemOfRecord, type Position, positionOf, readRecorded } from './recorded.ts'
import { readRegister } from './register.ts'
import { createTally, type Tally } from './report.ts'
import { itemsOfSamples } from './samples.ts'
import type { Evaluate, EvaluationReport, Window } from './schema.ts'

export interface DryRun {
  readonly kernel: Pick<Kernel, 'clock' | 'db'>
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: Evaluate
}

const pageSize = 2_000
const mostItems = 100_000
/** Milliseconds after which a cursor is given. */
const longestMs = 20_000

/** @throws API-001, API-003, API-013, AEGIS-004, AEGIS-006, AEGIS-017 */
export async function dryRun(run: DryRun): Promise<EvaluationReport> {
  const { kernel, scope, input } = run
  if ((input.samples === undefined) === (input.window === undefined))
    throw invalid('Give either samples or a window of recorded calls.', '/samples')
  const candidates = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => candidatesOf(tx, input))
  const agents = await agentsOf(run)
  const report =
    input.window === undefined
      ? await trySamples(run, candidates, agents)
      : await tryRecorded(run, { window: input.window, candidates, agents })
  await kernel.db.tenant(scope, (tx) =>
    tx.audit('aegis.guardrail.evaluate', {
      target: `guardrail:${input.guardrail_id ?? input.guardrail_ids?.[0] ?? 'draft'}`,
      after: { source: report.source, counts: report.counts },
    }),
  )
  return report
}

type Agents = ReadonlyMap<string, GuardedAgent>

async function trySamples(
  { kernel, scope, actor, input }: DryRun,
  candidates: Candidates,
  agents: Agents,
): Promise<EvaluationReport> {
  const tally = createTally()
  const judge = createJudge(candidates, kernel.clock.monotonic)
  const sampling = {
    ...{ tenantId: scope.tenantId, stage: candidates.stage, agents, userId: actor.userId },
    nowMs: kernel.clock.now(),
  }
  const pause = pauses(kernel)
  for (const item of itemsOfSamples(input.samples ?? [], sampling)) {
    tally.add(judge(item))
    await pause()
  }
  return { source: 'samples', status: 'complete', ...tally.report(), next_cursor: null }
}

interface Recorded {
  readonly window: Window
  readonly candidates: Candidates
  readonly agents: Agents
}

async function tryRecorded(
  { kernel, scope, input }: DryRun,
  { window, candidates, agents }: Recorded,
): Promise<EvaluationReport> {
  const { tenantId } = scope
  if (Date.parse(window.to) <= Date.parse(window.from))
    throw invalid('The end lies before the beginning.', '/window/to')
  const tally = createTally()
  const judge = createJudge(candidates, kernel.clock.monotonic)
  const labels = await readLabels(kernel.db, tenantId, window)
  const register = await readRegister(kernel.db, tenantId)
  const reading = { tenantId, stage: candidates.stage, agents, labels, register, sessions: new Map() }
  const startedMs = kernel.clock.monotonic()
  const pause = pauses(kernel)
  let after = input.cursor === undefined ? null : readCursor(input.cursor)
  for (let items = 0; ; ) {
    const page = await readRecorded(kernel.db, { tenantId, window, stage: candidates.stage, after, limit: pageSize })
    for (const record of page) {
      tally.add(judge(itemOfRecord(record, reading)))
      await pause()
    }
    items += page.length
    const last = page.at(-1)
    if (last !== undefined) after = positionOf(last)
    if (page.length < pageSize) return finished(tally, null)
    if (items >= mostItems || kernel.clock.monotonic() - startedMs > longestMs) return finished(tally, after)
  }
}

/** Milliseconds of the event loop that a dry run takes at a time. */
const longestTurnMs = 10

/** Lets others have a turn where the last pause is a while ago. */
function pauses({ clock }: DryRun['kernel']): () => Promise<void> | undefined {
  let since = clock.monotonic()
  return () => {
    if (clock.monotonic() - since < longestTurnMs) return undefined
    return nextTurn().then(() => {
      since = clock.monotonic()
    })
  }
}

const finished = (tally: Tally, after: Position | null): EvaluationReport => ({
  ...{ source: 'recorded', status: after === null ? 'complete' : 'partial' },
  ...tally.report(),
  next_cursor: after === null ? null : writeCursor(after),
})

const writeCursor = ({ time, agentId, eventId }: Position): string =>
  Buffer.from(JSON.stringify([time, agentId, eventId])).toString('base64url')

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** It is a position in the caller's own data and nothing more, so it carries no seal. @throws API-003 */
function readCursor(cursor: string): Position {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(read)) throw apiErrors.badCursor()
    const [time, agentId, eventId] = read as readonly unknown[]
    const isPosition =
      typeof time === 'string' &&
      !Number.isNaN(Date.parse(time)) &&
      typeof agentId === 'string' &&
      typeof eventId === 'string'
    if (!isPosition || !uuidForm.test(agentId) || eventId.includes('\0')) throw apiErrors.badCursor()
    return { time: new Date(time).toISOString(), agentId, eventId }
  } catch {
    throw apiErrors.badCursor()
  }
}

const mostAgents = 5_000

async function agentsOf({ kernel, scope }: DryRun): Promise<Agents> {
  const rows = await kernel.db.read(
    scope.tenantId as TenantId,
    sql<GuardedAgent>`
      select id, risk_tier as tier, autonomy_level as autonomy, tags, environment as env, data_classes as "dataClasses"
      from aegis_agent order by created_at desc, id limit ${mostAgents}`,
  )
  return new Map(rows.map((agent) => [agent.id, agent]))
}
