/** Stores a run as far as it can be decided, with its end where it has come to it. Tested in engine.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { workflowCompleted, workflowFailed } from './declared/events.ts'
import { keptOutput, type Opened, patchRun, writeSteps } from './journal.ts'
import { type Advanced, advancePurely } from './pure.ts'

/** Decides and stores all steps that touch nothing, up to the first that does; the entries and the run are one commit. */
export async function advanceStored(services: PlatformServices, tx: Tx, opened: Opened): Promise<Advanced> {
  const { kernel } = services
  const at = kernel.clock.iso()
  const advanced = advancePurely(opened, { at, keep: (output) => keptOutput(kernel, tx, output) })
  const { changed, next } = advanced
  if (next.kind === 'end') {
    await Promise.all([writeSteps(tx, changed), finish(services, tx, advanced.opened, next.failed)])
    return advanced
  }
  const { run } = opened
  const status = next.kind === 'wait' ? 'waiting' : 'running'
  if (changed.length === 0 && (next.kind === 'run' || run.status === status)) return advanced
  await Promise.all([
    writeSteps(tx, changed),
    patchRun(tx, kernel, run, { status, ...(changed.length === 0 ? {} : { started_at: run.started_at ?? at }) }),
  ])
  return advanced
}

/** The end of a run, with its event. */
async function finish(
  { kernel }: PlatformServices,
  tx: Tx,
  { run, key, steps }: Opened,
  failed: string | null,
): Promise<void> {
  const at = kernel.clock.iso()
  const status = failed === null ? 'completed' : 'failed'
  await patchRun(tx, kernel, run, {
    ...{ status, ended_at: at, started_at: run.started_at ?? at, lease_job: null, lease_until: null },
  })
  const data = {
    ...{ workflow_id: run.workflow_id, key, version: run.workflow_version, run_id: run.id, owner_id: run.owner_id },
    duration_ms: Math.max(0, Date.parse(at) - Date.parse(run.started_at ?? at)),
    steps: [...steps.values()].filter((step) => step.status === 'succeeded').length,
  }
  if (failed === null) await tx.emit(workflowCompleted, run.id, data)
  else
    await tx.emit(workflowFailed, run.id, {
      ...{ ...data, failed_step: failed, error_code: steps.get(failed)?.error?.code ?? null },
    })
}
