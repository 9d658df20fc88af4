/** The end of a simulation, whatever it was. Tested in simulations.test.ts. */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SimulationResult, SimulationRow } from '../declared/simulation-schema.ts'
import { simulations } from '../declared/simulation-tables.ts'
import { errors } from '../errors/errors.ts'
import { assessService } from '../model/assess.ts'
import { tellEnd } from './events.ts'
import { runs } from './runs.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>
/** @param result null where nothing came of it */
export async function settle(
  kernel: Parts,
  tx: Tx,
  { id, result }: { readonly id: string; readonly result: SimulationResult | null },
): Promise<void> {
  const row = await runs.unfinished(tx, id)
  if (row === null) return
  const now = kernel.clock.iso()
  const status = result === null ? 'failed' : 'completed'
  await simulations.patch(tx, id, {
    ...{ status, progress: result === null ? row.progress : 1, result, finished_at: now, updated_at: now },
    result_sha256: result === null ? null : canonicalHash(result),
    failure: result === null ? 'The simulation could not be run; an administrator finds the reason in the log.' : null,
  })
  const durationMs = Math.max(0, Date.parse(now) - Date.parse(row.started_at ?? now))
  await tellEnd(tx, { ...row, result }, { status, durationMs })
  if (result !== null && row.inputs.is_current) await adopt(kernel, tx, { row, result })
}

/** Figures of a simulation of the model as it stands outrank those that were declared. */
async function adopt(
  kernel: Parts,
  tx: Tx,
  { row, result }: { readonly row: SimulationRow; readonly result: SimulationResult },
): Promise<void> {
  const current = await tx.first(sql<{ number: number }>`select max(number) as number from resilience_model`)
  if (current?.number !== row.model_version) return
  for (const { service, rto, rpo, availability } of result.services)
    await assessService(kernel, tx, service, (prediction) => ({
      ...prediction,
      rto: rto ?? prediction.rto,
      rpo: rpo ?? prediction.rpo,
      ...(prediction.availability_method === 'exact' || availability === null
        ? {}
        : { availability, availability_method: 'simulation' as const }),
    }))
}

/** A simulation whose job failed for the last time has failed, whatever became of its worker. */
export const settleFailed = (kernel: Parts, tx: Tx, id: string): Promise<void> =>
  settle(kernel, tx, { id, result: null })

/** Its threads are told at the commit, on every instance. @throws RES-005, RES-007 */
export async function cancelSimulation(kernel: Parts, tx: Tx, id: string): Promise<SimulationRow> {
  const known = await simulations.get(tx, id)
  if (known === null)
    throw errors
      .unknownReference({ what: 'simulation' })
      .at([{ detail: 'There is no such simulation.', pointer: '/cancel' }])
  const row = await runs.unfinished(tx, id)
  if (row === null) throw errors.limitExceeded({ what: `The simulation is ${known.status} and cannot be cancelled.` })
  await tx.cancel(id)
  return runs.cancel(kernel, tx, row)
}
