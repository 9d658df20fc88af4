import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { kinds } from './schema.ts'

const Value = nullable(Type.Number())

export const simulationCompleted = defineEvent({
  channel: 'risk.simulation.completed',
  type: 'SimulationCompleted',
  summary: 'A simulation ended: completed, failed or cancelled with the blocks done so far.',
  schema: strictObject({
    simulation_id: Uuid,
    kind: oneOf(...kinds),
    status: oneOf('completed', 'failed', 'cancelled'),
    mean: Value,
    var95: Value,
    tvar95: Value,
    iterations: Type.Integer({ minimum: 0 }),
    duration_ms: Type.Integer({ minimum: 0 }),
  }),
  retentionDays: 90,
})
