/** The end of an experiment: verdict, measured recovery, evidence and event, in the transaction that ends its job. */
import type { Tx } from '../../../kernel/db/port.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import type { CancelledJob, DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { writeJournal } from '../chaos/journal.ts'
import { announceStop } from '../chaos/news.ts'
import type { ExperimentRow } from '../declared/experiment-schema.ts'
import { experimentResource, experiments } from '../declared/experiment-tables.ts'
import { measurements } from '../declared/measurements.ts'
import { assessService } from '../model/assess.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { experimentJob } from './create-experiment.ts'
import { experimentAborted, experimentCompleted, toldOf } from './events.ts'
import { verdictOf, type Watch } from './watch.ts'

interface Ended {
  readonly row: ExperimentRow
  readonly cause: string | null
  readonly endedMs: number
  /** Null where the steady state did not come back, or nothing says what it is. */
  readonly recoveredMs: number | null
}

export interface Ending {
  done(ended: Ended): Promise<void>
  failed(row: ExperimentRow, cause: string): Promise<void>
  aborted(row: ExperimentRow, cause: string, measured: ExperimentRow['measured']): Promise<void>
}

export function createEnding(
  { kernel, services, complete }: JobContext<ResilienceServices>,
  { id, watch }: { readonly id: string; readonly watch: Watch },
): Ending {
  return {
    done: async ({ row, cause, endedMs, recoveredMs }) => {
      await services.registry.flush()
      const measured = measuredOf(row, { watch, endedMs, recoveredMs })
      await complete(async (tx) => {
        const affected = (await experiments.get(tx, id))?.affected_calls ?? 0
        const checks = watch.checks()
        const verdict = verdictOf({ checks, cause, affected })
        const status = cause === null ? 'completed' : 'aborted'
        const ended = await settle(kernel, tx, id, { status, verdict, cause, checks, measured })
        // An experiment that hit no call has measured nothing.
        if (affected > 0 && measured.rto_minutes !== null) await keepMeasured(kernel, tx, ended, measured.rto_minutes)
      })
    },
    failed: (_row, cause) =>
      complete(async (tx) => {
        await settle(kernel, tx, id, {
          status: 'failed',
          verdict: 'inconclusive',
          cause,
          checks: { met: 0, total: 0 },
          measured: null,
        })
      }),
    aborted: (row, cause, measured) =>
      complete(async (tx) => {
        await announceStop(tx, id)
        const told = row.abort_cause ?? cause
        await settle(kernel, tx, id, {
          status: 'aborted',
          verdict: 'inconclusive',
          cause: told,
          checks: watch.checks(),
          measured,
        })
      }),
  }
}

function measuredOf(
  { probes }: ExperimentRow,
  { watch, endedMs, recoveredMs }: Pick<Ended, 'endedMs' | 'recoveredMs'> & { readonly watch: Watch },
): NonNullable<ExperimentRow['measured']> {
  const nothing = { rto_minutes: null, rpo_minutes: null, recovery_ms: null }
  if (probes.length === 0 || recoveredMs === null) return nothing
  const breachedMs = watch.breachedAtMs()
  return {
    rto_minutes: breachedMs === null ? 0 : Math.max(0, recoveredMs - breachedMs) / 60_000,
    rpo_minutes: null,
    recovery_ms: Math.max(0, recoveredMs - endedMs),
  }
}

interface Settling extends Pick<ExperimentRow, 'verdict' | 'checks' | 'measured'> {
  readonly status: 'completed' | 'failed' | 'aborted'
  readonly cause: string | null
}

async function settle(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  id: string,
  { cause, ...end }: Settling,
): Promise<ExperimentRow> {
  const held = await hold(tx, experimentResource, { id, precondition: anyVersion })
  const finished = { finished_at: kernel.clock.iso(), stop_wanted: true, abort_cause: cause ?? undefined }
  const row = await write(kernel, tx, held, { ...end, ...finished })
  await writeJournal(kernel, tx, id, [
    { kind: end.status, data: { verdict: end.verdict, cause, measured: end.measured } },
  ])
  await tx.audit('resilience.experiment.end', {
    target: `resilience_experiment:${id}`,
    before: { status: held.row.status },
    after: { status: row.status, verdict: row.verdict, cause, affected_calls: row.affected_calls },
  })
  await tx.emit(end.status === 'aborted' ? experimentAborted : experimentCompleted, id, toldOf(row))
  return row
}

async function keepMeasured(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  row: ExperimentRow,
  minutes: number,
): Promise<void> {
  for (const key of row.services) {
    await measurements.insert(tx, {
      ...{ tenant_id: row.tenant_id, id: kernel.random.uuid(), created_at: kernel.clock.iso() },
      ...{ service_key: key, objective: 'rto', source: 'experiment', reference: `experiment:${row.id}`, minutes },
      started_at: row.injected_at ?? row.created_at,
    })
    await assessService(kernel, tx, key)
  }
}

/** An experiment whose job is gone for good is aborted; its rules have died with their lease. */
export function abortWithJob(kernel: Pick<Kernel, 'clock' | 'random'>): Notice<CancelledJob & Partial<DeadJob>> {
  return async (tx, { kind, payload }) => {
    if (kind !== experimentJob) return
    const id = String(payload.experiment_id)
    const row = await experiments.get(tx, id)
    if (row === null || ['completed', 'failed', 'aborted'].includes(row.status)) return
    await announceStop(tx, id)
    await settle(kernel, tx, id, {
      ...{ status: 'aborted', verdict: 'inconclusive', cause: row.abort_cause ?? 'lost contact' },
      ...{ checks: row.checks, measured: null },
    })
  }
}
