/** Stores runs as far as they can be decided, with their ends where they have come to them. Tested in engine.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { workflowCompleted, workflowFailed } from './declared/events.ts'
import type { RunRow } from './declared/schema.ts'
import { keptOutput, type Opened, writeRuns, writeSteps } from './journal.ts'
import { type Advanced, advancePurely } from './pure.ts'

/** One run; see `advanceAll`. */
export async function advanceStored(services: PlatformServices, tx: Tx, opened: Opened): Promise<Advanced> {
  const [advanced] = await advanceAll(services, tx, [opened])
  if (advanced === undefined) throw new Error('a run without an outcome')
  return advanced
}

/**
 * Decides and stores all steps that touch nothing, up to the first that does: entries, runs and the events of their ends, in
 * one message. The runs are locked by the caller and have one origin, the transaction's.
 */
export async function advanceAll(
  { kernel }: PlatformServices,
  tx: Tx,
  all: readonly Opened[],
): Promise<readonly Advanced[]> {
  const at = kernel.clock.iso()
  const keep = (output: unknown): unknown => keptOutput(kernel, tx, output)
  const advanced = all.map((opened) => advancePurely(opened, { at, keep }))
  const ended = advanced.flatMap((one) => (one.next.kind === 'end' ? [{ ...one, failed: one.next.failed }] : []))
  const happened = (isFailed: boolean) => ended.filter(({ failed }) => (failed !== null) === isFailed)
  await Promise.all([
    writeSteps(
      tx,
      advanced.flatMap(({ changed }) => changed),
    ),
    writeRuns(
      tx,
      advanced.flatMap((one) => runAfter(one, at) ?? []),
    ),
    tx.emitAll(
      workflowCompleted,
      happened(false).map(({ opened }) => ({ subject: opened.run.id, data: endOf(opened, at) })),
    ),
    tx.emitAll(
      workflowFailed,
      happened(true).map(({ opened, failed }) => ({
        subject: opened.run.id,
        data: {
          ...endOf(opened, at),
          ...{ failed_step: failed, error_code: opened.steps.get(failed ?? '')?.error?.code ?? null },
        },
      })),
    ),
  ])
  return advanced
}

/** The run as it is now; null where it is as it was. */
function runAfter({ changed, opened: { run }, next }: Advanced, at: string): RunRow | null {
  const begun = { ...run, started_at: run.started_at ?? at, updated_at: at }
  if (next.kind === 'end') {
    const status = next.failed === null ? ('completed' as const) : ('failed' as const)
    return { ...begun, status, ended_at: at, lease_job: null, lease_until: null }
  }
  const status = next.kind === 'wait' ? ('waiting' as const) : ('running' as const)
  if (changed.length > 0) return { ...begun, status }
  return next.kind === 'wait' && run.status !== status ? { ...run, status, updated_at: at } : null
}

function endOf({ run, key, steps }: Opened, at: string) {
  return {
    ...{ workflow_id: run.workflow_id, key, version: run.workflow_version, run_id: run.id, owner_id: run.owner_id },
    duration_ms: Math.max(0, Date.parse(at) - Date.parse(run.started_at ?? at)),
    steps: [...steps.values()].filter((step) => step.status === 'succeeded').length,
  }
}
