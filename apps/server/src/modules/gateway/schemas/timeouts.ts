import Type, { type Static } from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'

const opt = Type.Optional

export const Timeouts = strictObject({
  connect_ms: Type.Integer({ minimum: 100, maximum: 30_000 }),
  first_byte_ms: Type.Integer({ minimum: 500, maximum: 600_000 }),
  idle_ms: Type.Integer({ minimum: 500, maximum: 300_000 }),
  total_ms: Type.Integer({ minimum: 1000, maximum: 3_600_000 }),
})
export type Timeouts = Static<typeof Timeouts>

/** A whole answer has its first byte when all of it is there, so that takes as long as the answer may. */
export const defaultTimeouts: Timeouts = {
  connect_ms: 2000,
  first_byte_ms: 300_000,
  idle_ms: 60_000,
  total_ms: 300_000,
}

export const TimeoutsInput = strictObject({
  connect_ms: opt(Timeouts.properties.connect_ms),
  first_byte_ms: opt(Timeouts.properties.first_byte_ms),
  idle_ms: opt(Timeouts.properties.idle_ms),
  total_ms: opt(Timeouts.properties.total_ms),
})
