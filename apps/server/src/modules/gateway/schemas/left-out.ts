import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'

const opt = Type.Optional
const Name = Type.String({ maxLength: 256 })

/** Why a target that could have been asked was not. */
const leftOutReasons = ['unsupported', 'context_window', 'resting'] as const

export const LeftOut = strictObject({
  provider: Name,
  model: Name,
  reason: oneOf(...leftOutReasons),
  field: opt(Type.String({ maxLength: 256, description: 'JSON Pointer of what the model does not take.' })),
})
export type LeftOut = Static<typeof LeftOut>
