import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf, eventsOf, frameOf } from '../testing/asking.ts'
import { ollamaAdapter as adapter } from './adapter.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const text = (said: string) => [{ type: 'text', text: said }] as const
const tool = { kind: 'function', name: 'look', description: null, parameters: null, strict: null } as const
const baseUrl = 'http://127.0.0.1:11434'

const call: CanonicalCall = {
  ...emptyCall,
  turns: [
    {
      ...turn,
      role: 'user',
      parts: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', url: 'data:image/png;base64,AAAA', detail: null },
        { type: 'text', text: 'Say!' },
      ],
    },
    { ...turn, role: 'assistant', parts: [], toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":"it"}' }] },
    { ...turn, role: 'tool', toolCallId: 'c1', parts: text('a fox') },
  ],
  tools: [tool],
  maxTokens: 20,
}

async function sent(wish: Parameters<typeof askingOf>[1]) {
  const request = await adapter.request(askingOf(adapter, { baseUrl, ...wish }))
  return { ...request, body: JSON.parse(String(request.body)) }
}

describe('a request', () => {
  test('is in the words of the vendor, and cuts nothing', async () => {
    const { url, headers, body } = await sent({ call })
    expect([url, headers.authorization]).toEqual(['http://127.0.0.1:11434/api/chat', 'Bearer key-1'])
    expect(body).toEqual({
      model: 'm',
      messages: [
        { role: 'user', content: 'What is it?\nSay!', images: ['AAAA'] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', function: { index: 0, name: 'look', arguments: { at: 'it' } } }],
        },
        { role: 'tool', content: 'a fox', tool_name: 'look', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
      options: { num_predict: 20 },
      stream: false,
      truncate: false,
      shift: false,
    })
  })

  test('shows no tools where none shall be called', async () => {
    expect((await sent({ call: { ...call, toolChoice: 'none' } })).body.tools).toBe(undefined)
  })

  test('asks for JSON, by a schema or without', async () => {
    expect((await sent({ call: { ...call, format: { type: 'json_object' } } })).body.format).toBe('json')
    expect((await sent({ call: { ...call, format: { type: 'text' } } })).body.format).toBe(undefined)
  })

  test.each([
    ['none', false],
    ['minimal', 'low'],
    ['xhigh', 'high'],
    ['max', 'high'],
  ] as const)('the effort %s is %j', async (effort, think) => {
    expect((await sent({ call: { ...emptyCall, reasoning: { effort } } })).body.think).toBe(think)
  })

  test.each(['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/api', 'http://127.0.0.1:11434/v1'])(
    'goes from %s to the same place',
    async (given) => {
      expect((await sent({ baseUrl: given })).url).toBe('http://127.0.0.1:11434/api/chat')
    },
  )

  test('with an image that had to be fetched is refused', () => {
    const parts = [{ type: 'image', url: 'https://example.org/a.png', detail: null }] as const
    const remote = { ...emptyCall, turns: [{ ...turn, role: 'user', parts }] } as const
    expect(() => adapter.request(askingOf(adapter, { call: remote }))).toThrow(
      expect.objectContaining({ kind: 'bad_request' }),
    )
  })
})

const line = (message: object, more: object = {}) => ({
  model: 'llama3.2',
  created_at: '2025-11-30T10:00:00.5Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
})
const end = { done: true, done_reason: 'stop', total_duration: 5, prompt_eval_count: 11, eval_count: 7 }
const lines = [
  line({ thinking: 'Hm.' }),
  line({ content: 'Grüße ' }),
  line({ content: '🦊' }, { logprobs: [{ token: '🦊', logprob: -0.5, top_logprobs: [{ token: 'x', logprob: -2 }] }] }),
  line({ tool_calls: [{ function: { name: 'look', arguments: { at: 'it' } } }] }),
  line({ tool_calls: [{ id: 'own', function: { name: 'look', arguments: {} } }] }),
  line({}, end),
]
const stream = `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`

describe('an answer', () => {
  test('comes the same however its stream is cut', async () => {
    const whole = await eventsOf(adapter, stream, [])
    expect(whole).toEqual([
      { type: 'start', model: 'llama3.2', fingerprint: null },
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      { type: 'text', choice: 0, channel: 'text', text: 'Grüße ' },
      { type: 'text', choice: 0, channel: 'text', text: '🦊' },
      {
        type: 'logprobs',
        choice: 0,
        channel: 'text',
        tokens: [{ token: '🦊', logprob: -0.5, bytes: null, top: [{ token: 'x', logprob: -2, bytes: null }] }],
      },
      { type: 'tool_call', choice: 0, index: 0, id: expect.stringMatching(/^call_[0-9a-f]{24}$/), name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"at":"it"}' },
      { type: 'tool_call', choice: 0, index: 1, id: 'own', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'stop' },
      { type: 'usage', usage: { ...noTokens, inputTokens: 11, outputTokens: 7, source: 'upstream' } },
    ])
    for (let cut = 1; cut < stream.length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(whole)
  })

  test('that is complete is one line, and one without a count of the prompt has no usage', () => {
    const { prompt_eval_count: _, ...uncounted } = end
    const whole = JSON.stringify(line({ content: 'Hi' }, { ...uncounted, done_reason: 'length' }))
    expect(adapter.decodeAnswer(whole, emptyCall).slice(1)).toEqual([
      { type: 'text', choice: 0, channel: 'text', text: 'Hi' },
      { type: 'finish', choice: 0, reason: 'length', native: 'length' },
    ])
  })

  test('that is not done is broken, and an error in it is one', () => {
    expect(() => adapter.decodeAnswer(JSON.stringify(lines[0]), emptyCall)).toThrow(
      expect.objectContaining({ kind: 'broken' }),
    )
    const decoder = adapter.createStreamDecoder(emptyCall)
    expect(() => decoder.push(frameOf({ error: 'llama runner process has terminated' }))).toThrow(
      expect.objectContaining({ kind: 'server_error', message: 'llama runner process has terminated' }),
    )
  })
})

test('embeddings are asked for and read', () => {
  const embed = { inputs: ['a'], dimensions: null, encoding: null }
  const request = adapter.embeddings?.request(askingOf(adapter, { baseUrl, call: { ...emptyCall, embed } }))
  expect(request).toMatchObject({
    url: 'http://127.0.0.1:11434/api/embed',
    body: JSON.stringify({ model: 'm', input: ['a'], truncate: false }),
  })
  const answer = { model: 'nomic-embed-text', embeddings: [[0.5, -1]], prompt_eval_count: 3 }
  expect(adapter.embeddings?.decode(JSON.stringify(answer))).toEqual([
    { type: 'start', model: 'nomic-embed-text', fingerprint: null },
    { type: 'embedding', index: 0, vector: [0.5, -1] },
    { type: 'usage', usage: { ...noTokens, inputTokens: 3, outputTokens: 0, source: 'upstream' } },
  ])
})

test('too long a prompt and a model that is not there are told apart', () => {
  const fault = (status: number, error: string) =>
    adapter.errorOf({ status, body: JSON.stringify({ error }), header: () => '' })
  expect(fault(400, 'prompt too long; exceeded max context length by 12 tokens').kind).toBe('context_too_long')
  expect(fault(404, "model 'x' not found")).toMatchObject({ kind: 'bad_request', message: "model 'x' not found" })
})

test('its models are listed', () => {
  const models = [{ name: 'llama3.2:latest', model: 'llama3.2:latest', size: 1 }]
  expect(adapter.models?.parse(JSON.stringify({ models }))).toEqual(['llama3.2:latest'])
})
