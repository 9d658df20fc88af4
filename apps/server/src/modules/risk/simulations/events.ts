import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { kinds, type SimulationRow } from './schema.ts'

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

interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly years: number
  readonly durationMs: number
}

/** Emits the event of an end. */
export function tellEnd(
  tx: Tx,
  { id, kind, mean, var95, tvar95 }: Pick<SimulationRow, 'id' | 'kind' | 'mean' | 'var95' | 'tvar95'>,
  { status, years, durationMs }: End,
): Promise<void> {
  const facts = { simulation_id: id, kind, status, mean, var95, tvar95 }
  return tx.emit(simulationCompleted, id, { ...facts, iterations: years, duration_ms: durationMs })
}
