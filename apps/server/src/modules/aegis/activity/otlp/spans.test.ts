import { expect, test } from 'vitest'
import { readSpans } from './spans.ts'

const trace = '5b8efff798038103d269b633813fc60c'
const at = 1_790_000_000_000

const value = (given: string | number): object =>
  typeof given === 'string'
    ? { stringValue: given }
    : Number.isInteger(given)
      ? { intValue: String(given) }
      : { doubleValue: given }

function span(id: number, attributes: Readonly<Record<string, string | number>>, over: object = {}) {
  return {
    traceId: trace,
    spanId: id.toString(16).padStart(16, '0'),
    name: 'step',
    kind: 1,
    startTimeUnixNano: `${at}000000`,
    endTimeUnixNano: `${at + 250}000000`,
    attributes: Object.entries(attributes).map(([key, given]) => ({ key, value: value(given) })),
    ...over,
  }
}

const read = (...spans: readonly object[]) =>
  readSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, { mostSpans: 100 })

test('a model call, a tool call and an egress', () => {
  const { records, ignored } = read(
    span(1, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.input.messages': 'secret words',
    }),
    span(2, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'error.type': 'ReadTimeout' }),
    span(3, { 'http.request.method': 'GET', 'server.address': 'API.Example.com' }, { kind: 3 }),
    span(4, { 'db.system': 'postgresql' }, { kind: 3 }),
  )
  expect(ignored).toBe(1)
  const shared = { source: 'otel', trace_id: trace, duration_ms: 250, time: new Date(at).toISOString() }
  expect(records).toEqual([
    expect.objectContaining({
      ...shared,
      type: 'llm.call',
      model: 'gpt-4.1',
      provider: 'openai',
      tokens_in: 12,
      tokens_out: 3,
    }),
    expect.objectContaining({ ...shared, type: 'tool.call', tool: 'search', outcome: 'timeout' }),
    expect.objectContaining({ ...shared, type: 'egress', destination: 'api.example.com' }),
  ])
  expect(JSON.stringify(records)).not.toContain('secret words')
})

test('spans of a trace are of the conversation that one of them names', () => {
  const { records } = read(
    span(1, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'a' }),
    span(2, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.conversation.id': 'c-1' }),
  )
  expect(records.map(({ conversation_id }) => conversation_id)).toEqual(['c-1', 'c-1'])
})

test('an agent that is invoked: the root is the beginning, a remote one a handoff', () => {
  const invoke = { 'gen_ai.operation.name': 'invoke_agent' }
  const { records } = read(span(1, invoke), span(2, invoke, { kind: 3, parentSpanId: '0000000000000001' }))
  expect(records.map(({ type }) => type)).toEqual(['session.start', 'handoff'])
})

test.each([
  ['no id', { spanId: '' }],
  ['an id of zeros and letters that are no digits', { spanId: 'zz00000000000000' }],
  ['no time', { startTimeUnixNano: 'yesterday' }],
  ['a time in the year 30000', { startTimeUnixNano: '900000000000000000000' }],
])('a span with %s is rejected and the others are taken', (_name, over) => {
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }
  const { records, rejected } = read(span(1, chat, over), span(2, chat))
  expect([records.length, rejected.map(({ index }) => index)]).toEqual([1, [0]])
})

test('what is no trace request is refused whole', () => {
  for (const request of [{}, { resourceSpans: {} }, { resourceSpans: [1] }, { resourceSpans: [{ scopeSpans: 'x' }] }])
    expect(() => readSpans(request, { mostSpans: 10 })).toThrow(RangeError)
  expect(() => read(...Array.from({ length: 101 }, (_, id) => span(id, {})))).toThrow('at most 100')
})
