import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, Slug, strictObject, Uuid } from '../../../kernel/schema/types.ts'

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
