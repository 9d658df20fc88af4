import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { ExperimentRow } from './experiment-schema.ts'

const data = { category: 'resilience', retention: 'tenant', erasure: 'keep_pseudonymous' } as const

export const experiments = table({
  name: 'resilience_experiment',
  noun: 'experiment',
  row: ExperimentRow,
  sorts: ['created_at'],
  data: { ...data, subject: ['created_by', 'approved_by'] },
})

export const experimentResource = resource({ table: experiments, kind: 'resilience_experiment' })

/** Every value that was probed and every fault that was injected; `system` lets them go with their tenant. */
export const journal = table({
  name: 'resilience_journal',
  noun: 'journal entry',
  row: strictObject({
    tenant_id: Uuid,
    id: Uuid,
    seq: Type.Integer(),
    experiment_id: Uuid,
    at: Timestamp,
    kind: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  }),
  appendOnly: true,
  system: true,
  data: { ...data, subject: [], erasure: 'none' },
})

export const LeverRow = strictObject({
  tenant_id: Uuid,
  id: oneOf('tenant', 'platform'),
  engaged: Type.Boolean(),
  changed_by: nullable(Uuid),
  reason: nullable(Type.String()),
  changed_at: Timestamp,
})
export type LeverRow = Static<typeof LeverRow>

/** The safety levers. That of the platform is looked for among all tenants' rows, hence `system`. */
export const levers = table({
  name: 'resilience_lever',
  noun: 'safety lever',
  row: LeverRow,
  system: true,
  data: { ...data, subject: ['changed_by'] },
})
