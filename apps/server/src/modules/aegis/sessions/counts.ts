/** The numbers that an event adds to its session. Pure. Tested in place.test.ts. */
import type { ActivityRecord } from '../activity/record/record.ts'
import { callTypes, failedOutcomes } from '../activity/record/words.ts'
import type { SessionRow } from './schema.ts'

export type CallCounts = Pick<SessionRow, 'calls' | 'denied' | 'errors' | 'tokens_in' | 'tokens_out' | 'cost'>

export function countsOf({ type, outcome, tokens_in, tokens_out, cost }: ActivityRecord): CallCounts {
  return {
    calls: callTypes.has(type) ? 1 : 0,
    denied: outcome === 'denied' ? 1 : 0,
    errors: failedOutcomes.has(outcome) || type === 'error' ? 1 : 0,
    ...{ tokens_in: tokens_in ?? 0, tokens_out: tokens_out ?? 0, cost: cost ?? 0 },
  }
}

export const noCounts: CallCounts = { calls: 0, denied: 0, errors: 0, tokens_in: 0, tokens_out: 0, cost: 0 }

export function added(one: CallCounts, other: CallCounts, sign: 1 | -1 = 1): CallCounts {
  return {
    calls: one.calls + sign * other.calls,
    denied: one.denied + sign * other.denied,
    errors: one.errors + sign * other.errors,
    tokens_in: one.tokens_in + sign * other.tokens_in,
    tokens_out: one.tokens_out + sign * other.tokens_out,
    cost: one.cost + sign * other.cost,
  }
}
