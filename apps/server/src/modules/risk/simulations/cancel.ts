/** Simulations that are cancelled by their own route. Tested in simulations.test.ts and end.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { runs } from './runs.ts'
import type { SimulationRow } from './schema.ts'
import { simulations } from './tables.ts'

/**
 * Cancels a simulation. Its threads are told at the commit, on every instance, and stop before their next block; the
 * statistics of the blocks that were done are stored then. @throws API-013, RISK-012
 */
export async function cancelSimulation(parts: Pick<Kernel, 'clock'>, tx: Tx, id: string): Promise<SimulationRow> {
  const row = await simulations.needForUpdate(tx, id)
  if (row.status !== 'queued' && row.status !== 'running') throw errors.alreadyFinished({ status: row.status })
  return runs.cancel(parts, tx, row)
}
