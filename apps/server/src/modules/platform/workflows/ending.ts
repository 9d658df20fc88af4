/** The end of a run, with its event, in the transaction of its last turn. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { workflowCompleted, workflowFailed } from './declared/events.ts'
import { type Opened, patchRun } from './journal.ts'

export async function finish(
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
