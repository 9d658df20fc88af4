import { describe, expect, test } from 'vitest'
import { emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { eventsOf } from '../testing/asking.ts'
import { awsBedrockAdapter as adapter } from './adapter.ts'
import { eventMessage } from './testing/messages.ts'

const decoded = (answer: unknown) => adapter.decodeAnswer(JSON.stringify(answer), emptyCall)
const said = (content: readonly object[], stopReason = 'end_turn', usage?: object) => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  metrics: { latencyMs: 10 },
  ...(usage === undefined ? {} : { usage }),
})
const start = { type: 'start', model: '', fingerprint: null }
const seal = (value: object) => ({
  type: 'reasoning_data',
  choice: 0,
  data: { form: 'anthropic_messages', value },
})
const usage = {
  inputTokens: 10,
  outputTokens: 7,
  totalTokens: 67,
  cacheReadInputTokens: 20,
  cacheWriteInputTokens: 30,
  cacheDetails: [
    { ttl: '5m', inputTokens: 18 },
    { ttl: '1h', inputTokens: 12 },
  ],
}
const counted = {
  ...noTokens,
  inputTokens: 60,
  cachedTokens: 20,
  cacheWrite5mTokens: 18,
  cacheWrite1hTokens: 12,
  outputTokens: 7,
  source: 'upstream',
}

describe('an answer', () => {
  test('with thinking, calls and counts becomes events', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'aGlkZGVu' } },
      { text: 'I look.' },
      { toolUse: { toolUseId: 'tooluse_1', name: 'look', input: { in: 'Bonn' } } },
    ]
    expect(decoded(said(content, 'tool_use', usage))).toEqual([
      start,
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      seal({ type: 'thinking', signature: 'c2ln' }),
      seal({ type: 'redacted_thinking', data: 'aGlkZGVu' }),
      { type: 'text', choice: 0, channel: 'text', text: 'I look.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'tooluse_1', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"in":"Bonn"}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'tool_use' },
      { type: 'usage', usage: counted },
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['something_new', 'stop'],
  ])('that ends with %s ends with %s', (native, reason) => {
    expect(decoded(said([{ text: 'a' }], native)).at(-1)).toEqual({ type: 'finish', choice: 0, reason, native })
  })

  test('that nobody can read is a failure', () => {
    expect(() => decoded(said([], 'malformed_tool_use'))).toThrow(expect.objectContaining({ kind: 'server_error' }))
  })

  test.each([
    '',
    'null',
    '{}',
    '{"output":{"message":{"content":"x"}},"stopReason":"end_turn"}',
    '{"output":{"message":{"content":[{"image":{}}]}},"stopReason":"end_turn"}',
  ])('%j is none', (body) => {
    expect(() => adapter.decodeAnswer(body, emptyCall)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

const at = (contentBlockIndex: number, delta: object) => eventMessage('contentBlockDelta', { contentBlockIndex, delta })
const begin = (contentBlockIndex: number, toolUse: object) =>
  eventMessage('contentBlockStart', { contentBlockIndex, start: { toolUse } })
const stop = (contentBlockIndex: number) => eventMessage('contentBlockStop', { contentBlockIndex })
const messages = [
  eventMessage('messageStart', { role: 'assistant' }),
  at(0, { reasoningContent: { text: 'Hm.' } }),
  at(0, { reasoningContent: { signature: 'c2' } }),
  at(0, { reasoningContent: { signature: 'ln' } }),
  stop(0),
  at(1, { text: 'Grüße ' }),
  at(1, { text: 'nach Köln 🦊' }),
  stop(1),
  begin(2, { toolUseId: 'tooluse_1', name: 'look' }),
  at(2, { toolUse: { input: '' } }),
  at(2, { toolUse: { input: '{"in":' } }),
  at(2, { toolUse: { input: '"Köln"}' } }),
  stop(2),
  begin(3, { toolUseId: 'tooluse_2', name: 'count' }),
  stop(3),
  eventMessage('messageStop', { stopReason: 'tool_use' }),
  eventMessage('metadata', { usage, metrics: { latencyMs: 10 } }),
]
const stream = Buffer.concat(messages)

describe('a stream', () => {
  test('comes the same however it is cut', async () => {
    const whole = await eventsOf(adapter, stream, [])
    expect(whole).toEqual([
      start,
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      seal({ type: 'thinking', signature: 'c2ln' }),
      { type: 'text', choice: 0, channel: 'text', text: 'Grüße ' },
      { type: 'text', choice: 0, channel: 'text', text: 'nach Köln 🦊' },
      { type: 'tool_call', choice: 0, index: 0, id: 'tooluse_1', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"in":' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '"Köln"}' },
      { type: 'tool_call', choice: 0, index: 1, id: 'tooluse_2', name: 'count' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'tool_use' },
      { type: 'usage', usage: counted },
    ])
    for (let cut = 1; cut < stream.length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(whole)
  })

  test('that ends between two messages before its end is broken', async () => {
    const early = Buffer.concat(messages.slice(0, 7))
    await expect(eventsOf(adapter, early, [])).rejects.toMatchObject({ kind: 'broken' })
  })

  test.each([
    [[at(0, { toolUse: { input: '{}' } })]],
    [[eventMessage('contentBlockDelta', { delta: {} })]],
    [[eventMessage('messageStop', {})]],
  ])('of another form is none (%#)', async (parts) => {
    await expect(eventsOf(adapter, Buffer.concat(parts), [])).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('an error', () => {
  const fault = (status: number, name: string, body: object = { message: 'No.' }) =>
    adapter.errorOf({
      status,
      body: JSON.stringify(body),
      header: (header) => (header === 'x-amzn-errortype' ? name : ''),
    })

  test.each([
    [403, 'AccessDeniedException', 'credential'],
    [403, 'UnrecognizedClientException:http://internal.amazon.com/coral/com.amazon.coral.service/', 'credential'],
    [400, 'com.amazon.coral.service#ExpiredTokenException', 'credential'],
    [400, 'ValidationException', 'bad_request'],
    [404, 'ResourceNotFoundException', 'bad_request'],
    [408, 'ModelTimeoutException', 'timeout'],
    [424, 'ModelErrorException', 'server_error'],
    [429, 'ThrottlingException', 'rate_limited'],
    [400, 'ServiceQuotaExceededException', 'rate_limited'],
    [429, 'ModelNotReadyException', 'rate_limited'],
    [500, 'InternalServerException', 'server_error'],
    [503, '', 'server_error'],
  ])('of the status %i and the name %s is %s', (status, name, kind) => {
    expect(fault(status, name).kind).toBe(kind)
  })

  test('passes its message on, in either spelling', () => {
    expect(fault(400, 'ValidationException', { Message: 'Bad.' }).message).toBe('Bad.')
    const long = { message: 'Input is too long for requested model.' }
    expect(fault(400, 'ValidationException', long).kind).toBe('context_too_long')
  })
})

test('its models that write or embed are listed', () => {
  const modelSummaries = [
    { modelId: 'amazon.nova-lite-v1:0', outputModalities: ['TEXT'] },
    { modelId: 'amazon.titan-embed-text-v2:0', outputModalities: ['EMBEDDING'] },
    { modelId: 'amazon.nova-canvas-v1:0', outputModalities: ['IMAGE'] },
  ]
  const names = ['amazon.nova-lite-v1:0', 'amazon.titan-embed-text-v2:0']
  expect(adapter.models?.parse(JSON.stringify({ modelSummaries }))).toEqual(names)
  expect(() => adapter.models?.parse('[]')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
