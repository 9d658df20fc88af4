import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { outcomes, severities } from '../scoring/words.ts'

/** State of a check: its newest run. */
export const CheckRow = strictObject({
  tenant_id: Uuid,
  id: Type.String({ maxLength: 100 }),
  outcome: oneOf(...outcomes),
  severity: oneOf(...severities),
  population: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  run_at: Timestamp,
  due_at: Timestamp,
  first_failed_at: nullable(Timestamp),
  evidence_id: nullable(Uuid),
})
export type CheckRow = Static<typeof CheckRow>
