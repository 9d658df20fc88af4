import { expect, test } from 'vitest'
import { type Judged, summaryOf } from './summary.ts'

test('a rule counts the calls it spoke in, also where the rows of a call had no room for it', () => {
  const flagged = { step: 'content_policy', category: 'content', action: 'flag' as const, count: 1 }
  const call = (shown: string, unshown: readonly string[]): Judged => ({
    id: null,
    before: { decision: 'allowed', wouldBlock: false },
    outcome: {
      ...{ decision: 'flagged', wouldBlock: false, error: null, steps: [] },
      security: {
        ...{ injection_score: 0, pii_detected: false, pipeline_latency_ms: 0 },
        policy_violations: [{ ...flagged, rule_id: shown, severity: 'low', location: '' }],
      },
      unshown: unshown.map((rule_id) => ({ ...flagged, rule_id })),
    },
  })
  const calls = [call('first', ['last']), call('last', [])]
  expect(summaryOf(calls, { matched: 2, notKept: 0, truncated: false }).by_rule).toEqual([
    { rule_id: 'last', step: 'content_policy', action: 'flag', calls: 2 },
    { rule_id: 'first', step: 'content_policy', action: 'flag', calls: 1 },
  ])
})
