import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf, eventsOf, frameOf } from '../testing/asking.ts'
import { cohereAdapter as adapter } from './adapter.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const text = (said: string) => [{ type: 'text', text: said }] as const
const parameters = { type: 'object', properties: { in: { type: 'string' } } }
const tool = { kind: 'function', name: 'look', description: 'Looks', parameters, strict: true } as const

const call: CanonicalCall = {
  ...emptyCall,
  turns: [
    { ...turn, role: 'system', parts: text('Be brief.') },
    { ...turn, role: 'user', parts: text('Weather?') },
    {
      ...turn,
      role: 'assistant',
      parts: [{ type: 'reasoning', text: 'I will look.', data: null }],
      toolCalls: [{ id: 'look_1', name: 'look', arguments: '{"in":"Bonn"}' }],
    },
    { ...turn, role: 'tool', toolCallId: 'look_1', parts: text('rain') },
  ],
  tools: [tool],
  toolChoice: 'required',
}

async function sent(wish: Parameters<typeof askingOf>[1]) {
  const request = await adapter.request(askingOf(adapter, wish))
  return { ...request, body: JSON.parse(String(request.body)) }
}

describe('a request', () => {
  test('is in the words of the vendor', async () => {
    const { url, headers, body } = await sent({ call, stream: true })
    expect([url, headers.authorization]).toEqual(['https://api.cohere.com/v2/chat', 'Bearer key-1'])
    expect(body).toEqual({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          tool_plan: 'I will look.',
          tool_calls: [{ id: 'look_1', type: 'function', function: { name: 'look', arguments: '{"in":"Bonn"}' } }],
        },
        { role: 'tool', tool_call_id: 'look_1', content: 'rain' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters } }],
      strict_tools: true,
      tool_choice: 'REQUIRED',
    })
  })

  test('says in words that no tool shall be called, and nothing where the model may choose', async () => {
    expect((await sent({ call: { ...call, toolChoice: 'none' } })).body.tool_choice).toBe('NONE')
    expect((await sent({ call: { ...call, toolChoice: 'auto' } })).body.tool_choice).toBe(undefined)
  })

  test('goes to an address with or without its version', async () => {
    const { url } = await sent({ baseUrl: 'https://eu.example.org/v2/' })
    expect(url).toBe('https://eu.example.org/v2/chat')
  })
})

const usage = { billed_units: { input_tokens: 5, output_tokens: 7 }, tokens: { input_tokens: 71, output_tokens: 9 } }
const counted = { ...noTokens, inputTokens: 5, outputTokens: 7, source: 'upstream' }

describe('an answer', () => {
  test('with a plan and calls becomes events, by what is billed', () => {
    const answer = {
      id: 'a-1',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        tool_plan: 'I will look.',
        tool_calls: [{ id: 'look_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      usage,
    }
    expect(adapter.decodeAnswer(JSON.stringify(answer), emptyCall)).toEqual([
      { type: 'start', model: '', fingerprint: null, id: 'a-1' },
      { type: 'text', choice: 0, channel: 'reasoning', text: 'I will look.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'look_1', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'TOOL_CALL' },
      { type: 'usage', usage: counted },
    ])
  })

  test.each([
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SOMETHING_NEW', 'stop'],
  ])('that ends with %s ends with %s', (native, reason) => {
    const answer = { finish_reason: native, message: { content: [{ type: 'text', text: 'a' }] } }
    const events = adapter.decodeAnswer(JSON.stringify(answer), emptyCall)
    expect(events.at(-1)).toEqual({ type: 'finish', choice: 0, reason, native })
  })

  test.each([
    ['ERROR', 'server_error'],
    ['TIMEOUT', 'timeout'],
  ])('that ends with %s is a failure', (native, kind) => {
    const answer = JSON.stringify({ finish_reason: native, message: { content: [] } })
    expect(() => adapter.decodeAnswer(answer, emptyCall)).toThrow(expect.objectContaining({ kind }))
  })

  test.each(['', 'null', '{}', '{"message":{"content":"x"},"finish_reason":"COMPLETE"}'])('%j is none', (body) => {
    expect(() => adapter.decodeAnswer(body, emptyCall)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

const delta = (message: object) => ({ delta: { message } })
const events = [
  { type: 'message-start', id: 'a-1', ...delta({ role: 'assistant', content: [], tool_plan: '' }) },
  { type: 'content-start', index: 0, ...delta({ content: { type: 'thinking', thinking: '' } }) },
  { type: 'content-delta', index: 0, ...delta({ content: { thinking: 'Hm.' } }) },
  { type: 'content-end', index: 0 },
  { type: 'content-start', index: 1, ...delta({ content: { type: 'text', text: '' } }) },
  { type: 'content-delta', index: 1, ...delta({ content: { text: 'Grüße' } }) },
  { type: 'citation-start', index: 0, ...delta({ citations: { start: 0, end: 3, text: 'Grü' } }) },
  { type: 'citation-end', index: 0 },
  { type: 'content-end', index: 1 },
  { type: 'tool-plan-delta', ...delta({ tool_plan: 'I will look.' }) },
  {
    type: 'tool-call-start',
    index: 0,
    ...delta({ tool_calls: { id: 'l', function: { name: 'look', arguments: '' } } }),
  },
  { type: 'tool-call-delta', index: 0, ...delta({ tool_calls: { function: { arguments: '{"in":' } } }) },
  { type: 'tool-call-delta', index: 0, ...delta({ tool_calls: { function: { arguments: '"Köln"}' } } }) },
  { type: 'tool-call-end', index: 0 },
  { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
]
const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

describe('a stream', () => {
  test('comes the same however it is cut', async () => {
    const whole = await eventsOf(adapter, stream, [])
    expect(whole).toEqual([
      { type: 'start', model: '', fingerprint: null, id: 'a-1' },
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      { type: 'text', choice: 0, channel: 'text', text: 'Grüße' },
      { type: 'text', choice: 0, channel: 'reasoning', text: 'I will look.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'l', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"in":' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '"Köln"}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'TOOL_CALL' },
      { type: 'usage', usage: counted },
    ])
    for (let cut = 1; cut < stream.length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(whole)
  })

  test('that ends early is broken, and one of another form is none', () => {
    const decoder = adapter.createStreamDecoder(emptyCall)
    decoder.push(frameOf(events[0]))
    expect(() => decoder.end()).toThrow(expect.objectContaining({ kind: 'broken' }))
    for (const data of [{}, { type: 'content-delta' }, { type: 'message-end', delta: {} }])
      expect(() => decoder.push(frameOf(data))).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

describe('embeddings', () => {
  const request = (embed: CanonicalCall['embed']) =>
    adapter.embeddings?.request(askingOf(adapter, { call: { ...emptyCall, embed } }))

  test('are asked for and read', () => {
    const body = { model: 'm', texts: ['a', 'b'], input_type: 'search_document' }
    expect(request({ inputs: ['a', 'b'], dimensions: 256, encoding: null })).toMatchObject({
      url: 'https://api.cohere.com/v2/embed',
      body: JSON.stringify({ ...body, embedding_types: ['float'], output_dimension: 256, truncate: 'NONE' }),
    })
    const answer = {
      id: 'e',
      embeddings: { float: [[0.5], [0.25]] },
      texts: ['a', 'b'],
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: 2 } },
    }
    expect(adapter.embeddings?.decode(JSON.stringify(answer))).toEqual([
      { type: 'start', model: '', fingerprint: null },
      { type: 'embedding', index: 0, vector: [0.5] },
      { type: 'embedding', index: 1, vector: [0.25] },
      { type: 'usage', usage: { ...noTokens, inputTokens: 2, outputTokens: 0, source: 'upstream' } },
    ])
  })

  test('are not made of tokens', () => {
    expect(() => request({ inputs: [[1]], dimensions: null, encoding: null })).toThrow(
      expect.objectContaining({ kind: 'bad_request' }),
    )
  })
})

describe('an error', () => {
  test.each([
    [400, 'bad_request'],
    [401, 'credential'],
    [429, 'rate_limited'],
    [498, 'credential'],
    [499, 'timeout'],
    [503, 'server_error'],
  ])('of the status %i is %s', (status, kind) => {
    const fault = adapter.errorOf({ status, body: '{"id":"1","message":"no such model"}', header: () => '' })
    expect(fault.kind).toBe(kind)
  })
})

test('its models that answer or embed are listed', () => {
  const models = [
    { name: 'command-a-03-2025', endpoints: ['generate', 'chat'] },
    { name: 'embed-v4.0', endpoints: ['embed'] },
    { name: 'rerank-v3.5', endpoints: ['rerank'] },
  ]
  expect(adapter.models?.parse(JSON.stringify({ models }))).toEqual(['command-a-03-2025', 'embed-v4.0'])
})
