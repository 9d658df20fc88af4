import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { plainAsked } from '../call/asked.ts'
import { type CanonicalCall, emptyCall } from '../call/call.ts'
import { noTokens } from '../call/events.ts'
import { errors } from '../declared/errors.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { CallState, Changes } from '../pipeline/contract/call-parts.ts'
import { ClientClosed } from '../pipeline/finish.ts'
import type { CallPlan } from '../plan/call-plan.ts'
import { compilePolicies } from '../policy/compile.ts'
import { complete } from '../policy/defaults.ts'
import { contentOf } from './content.ts'
import { endOf } from './ended.ts'
import { callSpans } from './spans.ts'

const asked = { ...plainAsked, operation: 'chat', dialect: 'openai', stream: false, read: () => emptyCall } as const
const caller = {
  actor: { userId: 'u', tenantId: 't' },
  info: { header: () => undefined, id: 'req_1' },
} as unknown as Parameters<typeof beginCall>[1]
const random = { uuid: () => 'call' } as Parameters<typeof beginCall>[0]['random']
const turn = { role: 'user', toolCalls: [], toolCallId: null, name: null } as const
const said = (text: string): CanonicalCall => ({ ...emptyCall, turns: [{ ...turn, parts: [{ type: 'text', text }] }] })

function stateWith(over: Changes = {}, how: Partial<typeof asked> = {}): CallState {
  const state = beginCall({ clock: createFakeClock(), random }, caller, { ...asked, ...how })
  state.write(over)
  return state
}

const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
function spanOf(state: CallState) {
  const [span] = callSpans({
    state,
    trace,
    parentSpanId: 'c'.repeat(16),
    nowMs: state.facts.startedMs + 250,
    content: {},
  })
  if (span === undefined) throw new Error('A call has a span.')
  return span
}

test('a span lasts as long as its call, from the moment the call began', () => {
  const state = stateWith()
  const span = spanOf(state)
  expect(span.startMs).toBe(Date.parse(state.facts.startedAt))
  expect(span.endMs - span.startMs).toBe(250)
})

test('what was asked for is there as numbers, and no word of it', () => {
  const call = { ...said('words'), temperature: 0, seed: 7, choices: 2, stop: ['STOPWORD'], user: 'somebody' }
  const { attributes } = spanOf(stateWith({ plan: { call } }))
  expect(attributes).toMatchObject({
    'gen_ai.request.temperature': 0,
    'gen_ai.request.seed': 7,
    'gen_ai.request.choice.count': 2,
  })
  expect(JSON.stringify(attributes)).not.toMatch(/STOPWORD|somebody|words/)
})

test('an answer out of the cache used no tokens', () => {
  const usage = { ...noTokens, inputTokens: 5, cachedTokens: 2, outputTokens: 3, source: 'upstream' } as const
  expect(spanOf(stateWith({ answer: { usage } })).attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 2,
  })
  expect(spanOf(stateWith({ answer: { usage }, cached: { status: 'hit' } })).attributes).not.toHaveProperty(
    'gen_ai.usage.input_tokens',
  )
  const estimated = { ...usage, source: 'estimated' } as const
  expect(spanOf(stateWith({ answer: { usage: estimated } })).attributes).not.toHaveProperty('gen_ai.usage.input_tokens')
})

describe('how a call ended', () => {
  test.each([
    ['completed', null, { status: 'completed', error: null, failed: false }],
    ['completed', errors.auditUnavailable(), { status: 'failed', error: 'GW-020', failed: true }],
    ['blocked', errors.stepFailed({ step: 'x' }), { status: 'blocked', error: 'GW-019', failed: false }],
    ['incomplete', errors.streamBroken(), { status: 'incomplete', error: 'GW-014', failed: true }],
    ['client_closed', new ClientClosed(), { status: 'client_closed', error: 'GW-033', failed: false }],
  ] as const)('%s with %s', (status, error, end) => {
    expect(endOf(stateWith({ progress: { status, error } }))).toMatchObject(end)
  })
})

describe('content', () => {
  const keepable = said('my name is ⟦PERSON_1⟧')
  const answered = [
    { type: 'text', choice: 0, channel: 'text', text: 'Hello.' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ] as const
  const kept = (over: Partial<CallPlan> = {}) =>
    stateWith({ plan: { keepable, ...over }, answer: { inspected: [...answered] } })

  test('is the redacted call and the inspected answer, in the form of the conventions', () => {
    const content = contentOf(kept({ call: said('my name is Petra') }))
    expect(JSON.parse(String(content['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'my name is ⟦PERSON_1⟧' }] },
    ])
    expect(JSON.parse(String(content['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Hello.' }], finish_reason: 'stop' },
    ])
  })

  test('is left out where the caller or a policy keeps none, or before it is known what to hide', () => {
    const metadata = complete({ schema_version: 1, retention: { level: 'metadata' } } as Parameters<typeof complete>[0])
    const policy = compilePolicies([
      { id: 'p', name: 'p', version: 1, sha256: '', document: metadata, bindings: [] },
    ] as unknown as Parameters<typeof compilePolicies>[0])
    expect(contentOf(kept({ policy }))).toEqual({})
    expect(contentOf(kept({ keepable: null }))).toEqual({})
    const state = stateWith({ plan: { keepable }, answer: { inspected: [...answered] } }, {
      retention: 'metadata',
    } as never)
    expect(contentOf(state)).toEqual({})
  })

  test('that is too long for a collector is left out whole', () => {
    expect(contentOf(kept({ keepable: said('x'.repeat(40_000)) }))).toEqual({
      'gen_ai.output.messages': expect.stringContaining('Hello.'),
    })
  })
})
