/** Simulations that are cancelled, by their own route or with their job. Tested in simulations.test.ts and end.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { CancelledJob, Notice } from '../../../kernel/notices/notices.ts'
import { errors } from '../errors/errors.ts'
import { analyses } from '../fair/tables.ts'
import { simulationJob } from './create-simulation.ts'
import { cancelledTopic, unfinished } from './run-simulation.ts'
import type { SimulationRow } from './schema.ts'
import { tellEnd } from './settle.ts'
import { simulations } from './tables.ts'

/**
 * Cancels a simulation. Its threads are told at the commit, on every instance, and stop before their next block; the
 * statistics of the blocks that were done are stored then. @throws API-013, RISK-012
 */
export async function cancelSimulation(parts: Pick<Kernel, 'clock'>, tx: Tx, id: string): Promise<SimulationRow> {
  const row = await simulations.needForUpdate(tx, id)
  if (row.status !== 'queued' && row.status !== 'running') throw errors.alreadyFinished({ status: row.status })
  return cancelUnfinished(parts, tx, row)
}

/** A simulation whose job an administrator cancelled is cancelled in the same transaction. */
export function cancelWithJob(parts: Pick<Kernel, 'clock'>): Notice<CancelledJob> {
  return async (tx, { kind, payload }) => {
    if (kind !== simulationJob) return
    const row = await unfinished(tx, String(payload.simulation_id))
    if (row !== null) await cancelUnfinished(parts, tx, row)
  }
}

/** @param row an unfinished simulation that is locked */
async function cancelUnfinished({ clock }: Pick<Kernel, 'clock'>, tx: Tx, row: SimulationRow): Promise<SimulationRow> {
  const now = clock.iso()
  const { id } = row
  await simulations.patch(tx, id, { status: 'cancelled', finished_at: now, updated_at: now })
  await tx.audit('risk.simulation.cancel', {
    target: `risk_simulation:${id}`,
    before: { status: row.status, progress: row.progress },
    after: { status: 'cancelled' },
  })
  if (row.inputs.for_analysis !== null)
    await analyses.patch(tx, row.inputs.for_analysis, { status: 'cancelled', updated_at: now })
  // Nobody runs it, so nobody else tells of its end.
  if (row.status === 'queued') await tellEnd(tx, row, { status: 'cancelled', years: 0, durationMs: 0 })
  await tx.announce(cancelledTopic, id)
  return { ...row, status: 'cancelled', finished_at: now, updated_at: now }
}
