import { expect, test } from 'vitest'
import { type ActivityRecord, noDetails } from '../record/record.ts'
import { callIdOf } from './answer-id.ts'
import { mergedCall } from './merge.ts'
import { pairCalls } from './pair.ts'

const base = Date.parse('2026-06-01T10:00:00Z')
const logId = (n: number) => `0190c000-0000-7000-8000-${String(n).padStart(12, '0')}`

let made = 0
const record = (second: number, over: Partial<ActivityRecord>): ActivityRecord => {
  made += 1
  const time = new Date(base + second * 1_000).toISOString()
  const call = { type: 'llm.call', outcome: 'succeeded' } as const
  return { ...noDetails, ...call, event_id: `e${made}`, time, source: 'otel', ...over }
}
const report = (second: number, over: Partial<ActivityRecord> = {}) => record(second, { duration_ms: 1_000, ...over })
/** Dated by its end. */
const gateway = (second: number, over: Partial<ActivityRecord> = {}) => {
  const gateway_log_id = logId(made)
  return record(second, { source: 'gateway', gateway_log_id, call_id: gateway_log_id, duration_ms: 900, ...over })
}
const pairsOf = (fresh: readonly ActivityRecord[], stored: readonly ActivityRecord[]) =>
  pairCalls(fresh, stored).map((pair) => [pair.fresh.event_id, pair.stored.event_id])

test('two records of one answer are one call, whatever their times and traces', () => {
  const told = report(0, { call_id: 'chatcmpl-7', trace_id: 'a' })
  const kept = gateway(3_000, { call_id: 'chatcmpl-7', trace_id: 'b' })
  expect(pairsOf([told], [gateway(1, { trace_id: 'a' }), kept])).toEqual([[told.event_id, kept.event_id]])
  expect(pairsOf([kept], [report(0), told])).toEqual([[kept.event_id, told.event_id]])
})

test('an answer id that the gateway made leads to the log entry', () => {
  const own = logId(77)
  for (const prefix of ['chatcmpl-', 'resp_', 'msg_']) {
    const told = report(0, { call_id: callIdOf(`${prefix}${own.replaceAll('-', '')}`) })
    // A provider may have given an id that callers of another dialect never see.
    const kept = gateway(1, { gateway_log_id: own, call_id: 'of-the-provider' })
    expect(pairsOf([told], [kept])).toEqual([[told.event_id, kept.event_id]])
  }
  expect(callIdOf('chatcmpl-7')).toBe('chatcmpl-7')
  expect(callIdOf('x'.repeat(300))).toHaveLength(128)
})

test('without an answer id, records of a trace pair by the nearest start and each once', () => {
  const trace_id = 't'
  const told = [report(0, { trace_id }), report(2, { trace_id }), report(4, { trace_id })]
  const kept = [gateway(5, { trace_id }), gateway(1, { trace_id }), gateway(3, { trace_id })]
  const expected = [
    [told[0]?.event_id, kept[1]?.event_id],
    [told[1]?.event_id, kept[2]?.event_id],
    [told[2]?.event_id, kept[0]?.event_id],
  ]
  expect(pairsOf(told, kept)).toEqual(expected)
  expect(
    pairsOf(kept, told)
      .map(([one, other]) => [other, one])
      .toSorted(),
  ).toEqual(expected.toSorted())
})

test('records are two calls when their traces, answers or times differ', () => {
  expect(pairsOf([report(0)], [gateway(0)])).toEqual([])
  expect(pairsOf([report(0, { trace_id: 'a' })], [gateway(1, { trace_id: 'b' })])).toEqual([])
  expect(pairsOf([report(0, { trace_id: 'a' })], [gateway(60, { trace_id: 'a' })])).toEqual([])
  expect(pairsOf([report(0, { trace_id: 'a', call_id: 'x' })], [gateway(1, { trace_id: 'a', call_id: 'y' })])).toEqual(
    [],
  )
})

test('a report without an answer id never takes the record that another one names', () => {
  const kept = gateway(1, { trace_id: 'a', call_id: 'x' })
  const [unnamed, named] = [report(0, { trace_id: 'a' }), report(0, { trace_id: 'a', call_id: 'x' })]
  expect(pairsOf([unnamed, named], [kept])).toEqual([[named.event_id, kept.event_id]])
})

test('the gateway’s facts replace the agent’s word and its refusal stands', () => {
  const told = report(0, { provider: 'openai', model: 'claimed', tokens_in: 1, tokens_out: 1, conversation_id: 'c' })
  const facts = { provider: 'prod', model: 'served', tokens_in: 50, tokens_out: 7, cost: 0.2, call_id: 'x' }
  const one = mergedCall(told, gateway(1, facts))
  expect(one).toMatchObject({ ...facts, event_id: told.event_id, conversation_id: 'c', outcome: 'succeeded' })
  expect(one.gateway_log_id).not.toBeNull()
  const refused = mergedCall(told, gateway(1, { outcome: 'denied', error_type: 'GW-003', tokens_in: null }))
  expect(refused).toMatchObject({ outcome: 'denied', error_type: 'GW-003', tokens_in: 1 })
  expect(mergedCall({ ...told, outcome: 'timeout' }, gateway(1)).outcome).toBe('timeout')
})
