/** Simulations as long runs: queued with their jobs, cancelled, and ended with them. Tested in end.test.ts. */
import type { Kernel } from '../../../kernel/kernel.ts'
import { defineRuns } from '../../../kernel/resource/runs.ts'
import { errors } from '../errors/errors.ts'
import { analyses } from '../fair/tables.ts'
import { tellEnd } from './events.ts'
import type { SimulationRow } from './schema.ts'
import { simulations } from './tables.ts'

export const simulationJob = 'risk.simulation'

/** Queued or running simulations of a tenant. */
export const mostUnfinished = 20

/** Topic of the live feed: the key is the id of a simulation that was cancelled. */
export const cancelledTopic = 'risk.simulation.cancelled'

export const runs = defineRuns<SimulationRow, Pick<Kernel, 'clock'>>({
  kind: simulationJob,
  audit: 'risk.simulation.cancel',
  member: 'simulation_id',
  table: simulations,
  mostUnfinished,
  tooMany: (limit) => errors.tooManySimulations({ limit }),
  cancelled: async ({ clock }, tx, row) => {
    const { for_analysis: analysis } = row.inputs
    if (analysis !== null) await analyses.patch(tx, analysis, { status: 'cancelled', updated_at: clock.iso() })
    // Nothing runs it, so nothing else tells of its end.
    if (row.status === 'queued') await tellEnd(tx, row, { status: 'cancelled', years: 0, durationMs: 0 })
    await tx.announce(cancelledTopic, row.id)
  },
})
