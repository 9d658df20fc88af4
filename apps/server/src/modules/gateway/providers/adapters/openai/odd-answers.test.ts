import { describe, expect, test } from 'vitest'
import { type AnswerEvent, emptyCall } from '../../../call/call.ts'
import { createStreamDecoder, decodeAnswer } from './decode.ts'

const chunk = (delta: unknown, more: object = {}, top: object = {}) => ({
  id: 'c',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...top,
})
const end = chunk({}, { finish_reason: 'stop' })

function read(chunks: readonly unknown[], done = true, form: (typeof emptyCall)['form'] | 'openai_chat' = null) {
  const decoder = createStreamDecoder({ form })
  const frames = [...chunks.map((one) => JSON.stringify(one)), ...(done ? ['[DONE]'] : [])]
  return [...frames.flatMap((data) => decoder.push({ event: null, data })), ...decoder.end()]
}

const textIn = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text' && event.channel === 'text' ? event.text : '')).join('')
const endsIn = (events: readonly AnswerEvent[]) => events.filter(({ type }) => type === 'finish')
const argumentsIn = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'tool_arguments' ? event.text : '')).join('')

describe('a stream', () => {
  test.each<[string, unknown[]]>([
    ['no delta at its end', [chunk({ content: 'Hello' }), chunk(null, { finish_reason: 'stop' })]],
    ['no delta in between', [chunk({ content: 'Hello' }), chunk(null), end]],
    ['no choices in a chunk', [{ choices: null }, chunk({ content: 'Hello' }), end, { choices: null }]],
    ['a model of null', [{ ...chunk({ content: 'Hello' }), model: null }, end]],
    ['a remark of a filter behind its end', [chunk({ content: 'Hello' }), end, chunk(undefined)]],
    ['a second end', [chunk({ content: 'Hello' }), end, end]],
    ['its content in parts', [chunk({ content: [{ type: 'text', text: 'Hel' }, 'lo'] }), end]],
    ['no reason for its end', [chunk({ content: 'Hello' }), { choices: [] }]],
  ])('with %s is whole', (_, chunks) => {
    const events = read(chunks)
    expect([textIn(events), endsIn(events)]).toEqual(['Hello', [{ type: 'finish', choice: 0, reason: 'stop' }]])
  })

  test('without a reason and without its mark of the end is broken', () => {
    expect(() => read([chunk({ content: 'Hello' })], false)).toThrow(expect.objectContaining({ kind: 'broken' }))
    expect(() => read([])).toThrow(expect.objectContaining({ kind: 'broken' }))
  })

  test('with a call and no reason ended in calls', () => {
    const events = read([chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] })])
    expect(endsIn(events)).toMatchObject([{ reason: 'tool_calls' }])
  })

  test.each([
    [chunk({ content: '' }, { finish_reason: 'error' }, { error: { code: 502, message: 'gone' } }), 502],
    [chunk({ content: '' }, { finish_reason: 'error', error: { code: 429, message: 'slow' } }), 429],
    [chunk({ content: '' }, { finish_reason: 'error' }), 500],
    [[{ error: { code: 503, message: 'gone' } }], 503],
    [{ error: 'the model crashed' }, 500],
    [{ error: 'rate limit reached' }, 429],
    [{ detail: 'gone' }, 500],
  ])('that goes on with %j failed with the status %i', (event, status) => {
    expect(() => read([chunk({ content: 'part' }), event])).toThrow(expect.objectContaining({ status }))
  })
})

describe('arguments of a call', () => {
  test.each([
    [{ a: 1 }, '{"a":1}'],
    [null, '{}'],
    [undefined, '{}'],
    ['', '{}'],
    ['{"a":1}', '{"a":1}'],
  ])('that come as %j are JSON in a text', (given, expected) => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: given } }
    const streamed = read([chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, { finish_reason: 'tool_calls' })])
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const whole = decodeAnswer(JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }), emptyCall)
    expect([argumentsIn(streamed), argumentsIn(whole)]).toEqual([expected, expected])
  })
})

test.each([
  [{ error: { message: 'slow', code: 429 } }, 'rate_limited'],
  [{ error: { message: "This endpoint's maximum context length is 8192 tokens.", code: 400 } }, 'context_too_long'],
  [{ error: { message: 'failed', code: 502 } }, 'server_error'],
  [{ error: { message: 'who?', code: 401 } }, 'credential'],
  [{ choices: [{ message: { content: '' }, finish_reason: 'error', error: { code: 502 } }] }, 'server_error'],
])('the answer %j is the fault it stands for', (answer, kind) => {
  expect(() => decodeAnswer(JSON.stringify(answer), emptyCall)).toThrow(expect.objectContaining({ kind }))
})

test('what stands beside a call reaches callers of the form, and others get the signature with the thinking', () => {
  const extra_content = { google: { thought_signature: 'AY89a18IwQsQ8in' } }
  const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' }, extra_content }
  const chunks = [chunk({ tool_calls: [call] }), chunk({}, { finish_reason: 'tool_calls' })]
  expect(read(chunks, true, 'openai_chat')).toContainEqual(
    expect.objectContaining({ type: 'tool_call', extra: { form: 'openai_chat', members: { extra_content } } }),
  )
  expect(read(chunks)).toContainEqual({
    type: 'reasoning_data',
    choice: 0,
    data: { form: 'anthropic_messages', value: { type: 'thinking', signature: 'google#AY89a18IwQsQ8in' } },
  })
})
