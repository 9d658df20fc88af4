import { expect, test } from 'vitest'
import { type ActivityRecord, noDetails } from '../activity/record/record.ts'
import { place } from './place.ts'
import type { SessionRow } from './schema.ts'

let made = 0
const base = Date.parse('2026-06-01T10:00:00Z')

const record = (minutes: number, over: Partial<ActivityRecord> = {}): ActivityRecord => {
  made += 1
  const time = new Date(base + minutes * 60_000).toISOString()
  return {
    ...noDetails,
    event_id: `e${made}`,
    time,
    type: 'tool.call',
    source: 'native',
    tool: 't',
    outcome: 'succeeded',
    ...over,
  }
}

let ids = 0
const placed = (records: readonly ActivityRecord[], open: readonly SessionRow[] = []) =>
  place({
    ...{ agentId: 'a', tenantId: 't', open, records, at: '2026-06-01T12:00:00.000Z' },
    newId: () => {
      ids += 1
      return `s${ids}`
    },
  })

test('events are of one conversation, else of one trace, else of the window', () => {
  const { events, sessions } = placed([
    record(0, { conversation_id: 'c', trace_id: 'x' }),
    record(1, { trace_id: 'x' }),
    record(2, { trace_id: 'y' }),
    record(3),
    record(4, { conversation_id: 'c', trace_id: 'z' }),
    record(5),
  ])
  const [c, x, y, w, c2, w2] = events.map(({ session_id }) => session_id)
  expect([x, c2, w2]).toEqual([c, c, w])
  expect(new Set([c, y, w]).size).toBe(3)
  expect(sessions.map(({ label_scope, calls }) => [label_scope, calls])).toEqual([
    ...[
      ['conversation', 3],
      ['conversation', 1],
      ['agent_window', 2],
    ],
  ])
  expect(events.filter(({ session_id }) => session_id === c).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('a session ends by its end event and after thirty minutes', () => {
  const first = placed([record(0, { conversation_id: 'c' }), record(1, { conversation_id: 'c', type: 'session.end' })])
  expect(first.sessions[0]).toMatchObject({ status: 'closed', ended_at: new Date(base + 60_000).toISOString() })
  const open = placed([record(0)]).sessions
  const later = placed([record(30), record(61)], open)
  expect(later.events.map(({ session_id }) => session_id === open[0]?.id)).toEqual([true, false])
  expect(later.sessions.map(({ status }) => status)).toEqual(['closed', 'open'])
  expect(later.opened.size).toBe(1)
})

test('gateway records join the session of their trace, else the window', () => {
  const traced = placed([record(0, { trace_id: 'x', source: 'otel' })]).sessions
  const gateway = { source: 'gateway' as const, type: 'llm.call' as const }
  const { events, sessions } = placed(
    [record(1, { ...gateway, trace_id: 'x' }), record(2, { ...gateway, trace_id: 'q' })],
    traced,
  )
  expect(events[0]?.session_id).toBe(traced[0]?.id)
  expect(sessions.at(-1)).toMatchObject({ key: 'w', label_scope: 'agent_window', trace_id: null })
})

test('counts add up, and labels are joined', () => {
  const { sessions } = placed([
    record(0, { tokens_in: 5, tokens_out: 2, cost: 0.5, labels: ['untrusted'] }),
    record(1, { outcome: 'denied', labels: ['untrusted', 'private:internal'] }),
    record(2, { outcome: 'tool_error' }),
  ])
  expect(sessions).toEqual([
    expect.objectContaining({
      ...{ calls: 3, denied: 1, errors: 1, tokens_in: 5, tokens_out: 2, cost: 0.5 },
      labels: ['untrusted', 'private:internal'],
    }),
  ])
})
