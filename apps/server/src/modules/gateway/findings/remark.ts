import type { Static } from 'typebox'
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Violation } from '../schemas/chat-schema.ts'
import { action } from '../words/policy-words.ts'

const { rule_id: rule, category, location } = Violation.properties

export const Remark = strictObject({
  rule,
  category,
  action,
  location,
  /** Type of the entity found. */
  entity: Type.Optional(rule),
  times: Type.Integer({ minimum: 1 }),
})
export type Remark = Static<typeof Remark>

export const Remarks = strictObject({ found: Type.Array(Remark), dropped: Type.Array(Type.String()) })
export type Remarks = Static<typeof Remarks>
