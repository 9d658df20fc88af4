import { describe, expect, test } from 'vitest'
import { collectAnswer } from '../../../call/answer.ts'
import { emptyCall } from '../../../call/call.ts'
import { message, searched, thoughtful } from '../../../testing/anthropic-shapes.ts'
import { messageInBody } from '../../said-error.ts'
import { anthropicAdapter } from './adapter.ts'
import { decodeAnswer } from './decode.ts'

const own = { form: 'anthropic_messages' } as const
const decode = (body: object, form: Parameters<typeof decodeAnswer>[1] = emptyCall) =>
  decodeAnswer(JSON.stringify(body), form)

describe('a complete answer', () => {
  test('becomes events that every caller understands', () => {
    const events = decode(message(thoughtful, { stop_reason: 'tool_use' }))
    expect(events.some(({ type }) => ['raw', 'extra', 'answer_extra'].includes(type))).toBe(false)
    const { choices, id, model } = collectAnswer(events)
    expect({ id, model }).toEqual({ id: 'msg_01', model: 'claude-test-1' })
    expect(choices).toMatchObject([
      {
        text: 'I will look it up.',
        reasoning: 'The user wants the weather.',
        reasoningData: [
          { form: 'anthropic_messages', value: { type: 'thinking', signature: 'c2lnbmVk' } },
          { form: 'anthropic_messages', value: { type: 'redacted_thinking', data: 'b3BhcXVl' } },
        ],
        toolCalls: [
          { id: 'toolu_1', name: 'weather', arguments: '{"city":"Zürich","days":2}' },
          { id: 'toolu_2', name: 'clock', arguments: '{}' },
        ],
        finish: 'tool_calls',
        native: 'tool_use',
      },
    ])
  })

  test('counts what was read from and written to the cache as input', () => {
    expect(decode(message([])).at(-1)).toEqual({
      type: 'usage',
      usage: {
        inputTokens: 19,
        cachedTokens: 3,
        cacheWrite5mTokens: 2,
        cacheWrite1hTokens: 3,
        inputAudioTokens: 0,
        inputImageTokens: 0,
        outputTokens: 7,
        reasoningTokens: 4,
        outputAudioTokens: 0,
        source: 'upstream',
        serviceTier: 'standard',
      },
    })
  })

  test('keeps what only callers of the form understand', () => {
    const events = decode(message(searched, { container: { id: 'c' }, novelty: 1, stop_reason: 'new_word' }), own)
    const extras = events.filter(({ type }) => type === 'answer_extra' || type === 'extra')
    expect(extras).toMatchObject([
      { members: { novelty: 1, usage: { service_tier: 'standard' } } },
      { of: 'choice', members: { container: { id: 'c' }, stop_reason: 'new_word' } },
    ])
    const whole = events.flatMap((event) => (event.type === 'raw' && event.event === 'block' ? [event.item.value] : []))
    expect(whole).toEqual(searched.slice(1, 3).map((block) => ({ block, deltas: [] })))
    expect(events.filter(({ type }) => type === 'annotation')).toHaveLength(1)
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['constructor', 'stop'],
  ])('that ends with %s ended with %s', (native, reason) => {
    const events = decode(message([], { stop_reason: native, stop_sequence: 'END' }))
    expect(events).toContainEqual({ type: 'finish', choice: 0, reason, native, stopSequence: 'END' })
  })

  test.each(['', 'null', '[]', '{}', '{"content":5}', '{"content":[{"type":"text"}]}', '<html>'])(
    '%j is refused',
    (text) => {
      expect(() => decodeAnswer(text, emptyCall)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    },
  )
})

describe('an error', () => {
  const errorOf = (status: number, body: object, headers: Record<string, string> = {}) =>
    anthropicAdapter.errorOf({ status, body: JSON.stringify(body), header: (name) => headers[name] ?? '' })
  const said = (message: string) => ({ type: 'error', error: { type: 'x', message } })

  test.each([
    [400, 'bad_request'],
    [401, 'credential'],
    [403, 'credential'],
    [404, 'bad_request'],
    [413, 'bad_request'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [529, 'server_error'],
  ])('%i is %s', (status, kind) => {
    expect(errorOf(status, said('no'))).toMatchObject({ kind, status })
  })

  test('says when to come again', () => {
    expect(errorOf(429, said('slow'), { 'retry-after': '7' }).retryAfterMs).toBe(7000)
  })

  test('is passed on in one line without what looks like a key', () => {
    expect(messageInBody(JSON.stringify(said('bad key sk-ant-0123456789.\nTry')))).toBe('bad key [secret] Try')
    expect(messageInBody('<h1>secret internals</h1>')).not.toContain('internals')
  })
})

test('the list of models is read', () => {
  const list = { data: [{ type: 'model', id: 'claude-a', display_name: 'A' }, { id: 'claude-b' }], has_more: false }
  expect(anthropicAdapter.models?.parse(JSON.stringify(list))).toEqual(['claude-a', 'claude-b'])
  expect(() => anthropicAdapter.models?.parse('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
