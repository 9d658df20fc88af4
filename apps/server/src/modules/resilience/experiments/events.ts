import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { type ExperimentRow, experimentVerdicts, modes, scopes } from '../declared/experiment-schema.ts'

const ExperimentData = strictObject({
  experiment_id: Uuid,
  scenario_id: Uuid,
  mode: oneOf(...modes),
  scope: oneOf(...scopes),
  percentage: Type.Number({ minimum: 0, maximum: 100 }),
  verdict: nullable(oneOf(...experimentVerdicts)),
  cause: nullable(Type.String({ maxLength: 300 })),
  affected_calls: Type.Integer({ minimum: 0 }),
  measured: nullable(
    strictObject({
      rto_minutes: nullable(Type.Number()),
      rpo_minutes: nullable(Type.Number()),
      recovery_ms: nullable(Type.Number()),
    }),
  ),
})

const retentionDays = 90

export const experimentStarted = defineEvent({
  channel: 'resilience.experiment.started',
  type: 'ExperimentStarted',
  summary: 'A chaos experiment begins: its steady state is checked, then faults are injected.',
  schema: ExperimentData,
  retentionDays,
})

export const experimentAborted = defineEvent({
  channel: 'resilience.experiment.aborted',
  type: 'ExperimentAborted',
  summary: 'A chaos experiment was aborted by a person, a guard, the safety lever or a lost lease.',
  schema: ExperimentData,
  retentionDays,
})

export const experimentCompleted = defineEvent({
  channel: 'resilience.experiment.completed',
  type: 'ExperimentCompleted',
  summary: 'A chaos experiment ended as planned, or its steady state was not there to begin with.',
  schema: ExperimentData,
  retentionDays,
})

export function toldOf(row: ExperimentRow) {
  return {
    ...{ experiment_id: row.id, scenario_id: row.scenario_id, mode: row.mode, scope: row.scope },
    ...{ percentage: row.blast_radius.percentage, verdict: row.verdict, cause: row.abort_cause },
    ...{ affected_calls: row.affected_calls, measured: row.measured },
  }
}

const LeverData = strictObject({
  scope: oneOf('tenant', 'platform'),
  by: nullable(Uuid),
  reason: nullable(Type.String({ maxLength: 1000 })),
})

export const leverEngaged = defineEvent({
  channel: 'resilience.lever.engaged',
  type: 'LeverEngaged',
  summary: 'The safety lever stopped all chaos experiments, and none starts.',
  schema: LeverData,
  retentionDays,
})

export const leverReleased = defineEvent({
  channel: 'resilience.lever.released',
  type: 'LeverReleased',
  summary: 'Chaos experiments may start again.',
  schema: LeverData,
  retentionDays,
})
