import type { Finding } from '@parapet/detect'
import { expect, test } from 'vitest'
import { emptyCall } from '../../call/call.ts'
import { createKnownFindings } from '../../detection/memory/known-findings.ts'
import type { Analyses } from '../../inspection/analyses.ts'
import { stateUnder } from '../../testing/late-steps.ts'
import { sensitiveData } from './07-sensitive-data.ts'

test('a text has more findings than a call of a function takes arguments', async () => {
  const count = 200_000
  const text = '192.0.2.1 '.repeat(count)
  const found: readonly Finding[] = Array.from({ length: count }, (_, at) => ({
    ...{ detector: 'pii', type: 'IP_ADDRESS', score: 0.9 },
    ...{ start: at * 10, end: at * 10 + 9 },
  }))
  const analyses = {
    known: () => createKnownFindings(null),
    sensitive: () => (searched: string) => (searched === text ? found : []),
  } as unknown as Analyses
  const state = stateUnder({ sensitive_data: { entities: { IP_ADDRESS: { action: 'flag' } } } })
  const parts = [{ type: 'text', text } as const]
  state.write({
    plan: { call: { ...emptyCall, turns: [{ role: 'user', parts, toolCalls: [], toolCallId: null, name: null }] } },
  })
  expect(await sensitiveData({ analyses }).run(state)).toEqual({ decision: 'flag' })
  expect(state.findings.piiDetected).toBe(true)
})
