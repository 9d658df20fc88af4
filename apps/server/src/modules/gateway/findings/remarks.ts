/**
 * What is said of an answer whenever it is given: what was found in it, and what of the question its model was not sent.
 * Promises kinds, places and counts and never a value, so that it can be kept beside an answer, and that an answer out of
 * the cache is told of as it was when it came. Tested in ../cache/remarks.test.ts.
 */

import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFindings } from './call-findings.ts'
import type { Remark, Remarks } from './remark.ts'

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
