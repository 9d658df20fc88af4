import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, Slug, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import type { SimulationRow } from '../declared/simulation-schema.ts'

const Count = Type.Integer({ minimum: 0 })

export const simulationCompleted = defineEvent({
  channel: 'resilience.simulation.completed',
  type: 'SimulationCompleted',
  summary: 'A simulation ended: completed, failed or cancelled with the runs done so far.',
  schema: strictObject({
    simulation_id: Uuid,
    scenario_id: nullable(Uuid),
    model_version: Count,
    status: oneOf('completed', 'failed', 'cancelled'),
    verdicts: strictObject({ met: Count, not_met: Count, uncertain: Count }),
    worst_service: nullable(Slug),
    duration_ms: Count,
  }),
  retentionDays: 90,
})

const noVerdicts = { met: 0, not_met: 0, uncertain: 0 }

interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly durationMs: number
}

export function tellEnd(
  tx: Tx,
  { id, scenario_id, model_version, result }: Pick<SimulationRow, 'id' | 'scenario_id' | 'model_version' | 'result'>,
  { status, durationMs }: End,
): Promise<void> {
  return tx.emit(simulationCompleted, id, {
    ...{ simulation_id: id, scenario_id, model_version, status, duration_ms: durationMs },
    verdicts: result?.verdicts ?? noVerdicts,
    worst_service: result?.worst_service ?? null,
  })
}
