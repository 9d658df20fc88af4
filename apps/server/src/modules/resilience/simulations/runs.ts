/** Simulations as long runs: queued with their jobs, cancelled, and ended with them. Tested in simulations.test.ts. */
import { defineRuns } from '../../../kernel/resource/runs.ts'
import type { SimulationRow } from '../declared/simulation-schema.ts'
import { simulations } from '../declared/simulation-tables.ts'
import { errors } from '../errors/errors.ts'
import { tellEnd } from './events.ts'

export const simulationJob = 'resilience.simulation'

export const runs = defineRuns<SimulationRow>({
  kind: simulationJob,
  audit: 'resilience.simulation.cancel',
  member: 'simulation_id',
  table: simulations,
  mostUnfinished: 10,
  tooMany: (limit) =>
    errors.limitExceeded({ what: `${limit} simulations are queued or running. Wait for one or cancel one.` }),
  cancelled: (_kernel, tx, row) => tellEnd(tx, row, { status: 'cancelled', durationMs: 0 }),
})
