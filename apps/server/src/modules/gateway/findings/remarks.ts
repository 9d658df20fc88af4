/**
 * What is said of an answer whenever it is given: what was found in it, and what of the question its model was not sent.
 * Promises kinds, places and counts and never a value, so that it can be kept beside an answer, and that an answer out of
 * the cache is told of as it was when it came. Tested in ../cache/remarks.test.ts.
 */
import type { WithFindings } from './call-findings.ts'
import type { WithAttempts } from '../routing/call-attempts.ts'
import Type, { type Static } from 'typebox'
import { strictObject } from '../../../kernel/http/schema.ts'
import { Violation } from '../call/chat-schema.ts'
import { action } from '../policy/sections/words.ts'

const { rule_id: rule, category, location } = Violation.properties

const Remark = strictObject({
  rule,
  category,
  action,
  location,
  /** What kind of entity was found. */
  entity: Type.Optional(rule),
  times: Type.Integer({ minimum: 1 }),
})
export type Remark = Static<typeof Remark>

export const Remarks = strictObject({ found: Type.Array(Remark), dropped: Type.Array(Type.String()) })
export type Remarks = Static<typeof Remarks>

/** Counts equal remarks as one. */
export function remember({ findings: { remarks } }: WithFindings, remark: Remark): void {
  const { rule, category, action, location, entity } = remark
  const key = `${rule}\n${category}\n${action}\n${location}\n${entity ?? ''}`
  const times = (remarks.get(key)?.times ?? 0) + remark.times
  remarks.set(key, { rule, category, action, location, times, ...(entity !== undefined && { entity }) })
}

export function remarksOf({ findings: { remarks }, attempts: { dropped } }: WithFindings & WithAttempts): Remarks {
  return { found: [...remarks.values()], dropped: [...dropped] }
}
