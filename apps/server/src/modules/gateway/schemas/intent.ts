/** Stored data of a call before it has an outcome. */
import Type, { type Static } from 'typebox'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { begun } from './request.ts'

export const IntentRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  ...begun,
  prompt_sha256: Type.String({ maxLength: 64 }),
  created_at: Timestamp,
  deadline_at: Timestamp,
  xid: Type.Optional(Type.String()),
})
export type IntentRow = Static<typeof IntentRow>
