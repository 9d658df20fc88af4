/**
 * Remarks reported with an answer each time it is sent: findings in it, and parts of the question that were withheld
 * from the model. Contains kinds, places and counts, never values, so it can be stored beside an answer, and an answer
 * from the cache is reported as it was when it arrived. Tested in ../cache/remarks.test.ts.
 */

import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFindings } from './call-findings.ts'
import type { Remark, Remarks } from './remark.ts'

/** Merges equal remarks and adds up their counts. */
export function remember({ findings: { remarks } }: WithFindings, remark: Remark): void {
  const { rule, category, action, location, entity } = remark
  const key = `${rule}\n${category}\n${action}\n${location}\n${entity ?? ''}`
  const times = (remarks.get(key)?.times ?? 0) + remark.times
  remarks.set(key, { rule, category, action, location, times, ...(entity !== undefined && { entity }) })
}

export function remarksOf({ findings: { remarks }, attempts: { dropped } }: WithFindings & WithAttempts): Remarks {
  return { found: [...remarks.values()], dropped: [...dropped] }
}
