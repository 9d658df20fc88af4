import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf, eventsOf } from '../testing/asking.ts'
import { mistralAdapter as adapter } from './adapter.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const text = (said: string) => [{ type: 'text', text: said }] as const

const call: CanonicalCall = {
  ...emptyCall,
  form: 'openai_chat',
  turns: [
    { ...turn, role: 'user', parts: text('Weather?') },
    {
      ...turn,
      role: 'assistant',
      parts: [],
      toolCalls: [
        { id: 'call_abcdefghijklmnop', name: 'look', arguments: '{"in":"Bonn"}' },
        { id: 'D681PevKs', name: 'look', arguments: '{}' },
      ],
    },
    { ...turn, role: 'tool', toolCallId: 'call_abcdefghijklmnop', parts: text('rain') },
    { ...turn, role: 'tool', toolCallId: 'D681PevKs', parts: text('sun') },
    { ...turn, role: 'assistant', parts: text('It is') },
  ],
  toolChoice: 'required',
  extra: [{ form: 'openai_chat', at: '/safe_prompt', value: true }],
}

async function sent(wish: Parameters<typeof askingOf>[1]) {
  const request = await adapter.request(askingOf(adapter, wish))
  return { ...request, body: JSON.parse(String(request.body)) }
}

describe('a request', () => {
  test('is in the words of the vendor', async () => {
    const { url, headers, body } = await sent({ call, stream: true })
    expect([url, headers.authorization]).toEqual(['https://api.mistral.ai/v1/chat/completions', 'Bearer key-1'])
    expect(body).toMatchObject({ model: 'm', stream: true, tool_choice: 'any', safe_prompt: true })
    expect(body.stream_options).toBe(undefined)
    const [, asked, first, second, last] = body.messages
    const [made, kept] = asked.tool_calls
    expect(made.id).toMatch(/^[a-z0-9]{9}$/)
    expect([kept.id, first.tool_call_id, second.tool_call_id]).toEqual(['D681PevKs', made.id, 'D681PevKs'])
    expect(last).toEqual({ role: 'assistant', content: 'It is', prefix: true })
  })

  test.each([
    ['none', 'none'],
    ['low', 'high'],
    ['xhigh', 'high'],
    ['max', 'high'],
  ] as const)('the effort %s is %s', async (effort, word) => {
    expect((await sent({ call: { ...emptyCall, reasoning: { effort } } })).body.reasoning_effort).toBe(word)
  })

  test('embeds texts and no tokens', () => {
    const of = (inputs: readonly (string | readonly number[])[]) =>
      adapter.embeddings?.request(
        askingOf(adapter, { call: { ...emptyCall, embed: { inputs, dimensions: 256, encoding: 'float' } } }),
      )
    expect(of(['a'])).toMatchObject({
      url: 'https://api.mistral.ai/v1/embeddings',
      body: JSON.stringify({ model: 'm', input: ['a'], output_dimension: 256, encoding_format: 'float' }),
    })
    expect(() => of([[1, 2]])).toThrow(expect.objectContaining({ kind: 'bad_request' }))
  })
})

const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }], closed: true }

describe('an answer', () => {
  test('whose content comes in pieces is text and reasoning', () => {
    const answer = {
      id: 'x',
      model: 'magistral-medium-2509',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
    }
    expect(adapter.decodeAnswer(JSON.stringify(answer), emptyCall)).toEqual([
      { type: 'start', model: 'magistral-medium-2509', fingerprint: null, id: 'x' },
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      { type: 'text', choice: 0, channel: 'text', text: 'Yes.' },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'usage', usage: { ...noTokens, inputTokens: 4, outputTokens: 6, source: 'upstream' } },
    ])
  })

  test('that was cut at the window says so', () => {
    const answer = { choices: [{ message: { content: 'a' }, finish_reason: 'model_length' }] }
    const events = adapter.decodeAnswer(JSON.stringify(answer), emptyCall)
    expect(events.at(-1)).toEqual({ type: 'finish', choice: 0, reason: 'length', native: 'model_length' })
  })

  test('comes the same however its stream is cut', async () => {
    const calls = [{ id: 'D681PevKs', function: { name: 'look', arguments: '{"in":"Köln"}' }, index: 0 }]
    const chunks = [
      { id: 'x', model: 'm-1', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      { id: 'x', model: 'm-1', choices: [{ index: 0, delta: { content: [thinking] } }] },
      { id: 'x', model: 'm-1', choices: [{ index: 0, delta: { content: 'Grüße' } }] },
      {
        id: 'x',
        model: 'm-1',
        choices: [{ index: 0, delta: { content: '', tool_calls: calls }, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      },
    ]
    const stream = `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
    const events = await eventsOf(adapter, stream, [])
    expect(events.map(({ type }) => type)).toEqual([
      ...['start', 'text', 'text', 'tool_call', 'tool_arguments', 'finish', 'usage'],
    ])
    for (let cut = 1; cut < stream.length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(events)
  })
})

describe('an error', () => {
  const message = (body: unknown) =>
    adapter.errorOf({ status: 422, body: JSON.stringify(body), header: () => '' }).message
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted', input: 1 }]

  test('is said in one line, in each of its shapes', () => {
    expect(message({ object: 'error', message: 'Invalid model: x', code: '1500' })).toBe('Invalid model: x')
    expect(message({ detail })).toBe('top_k: Extra inputs are not permitted')
    expect(message({ object: 'error', message: { detail } })).toBe('top_k: Extra inputs are not permitted')
    expect(message({ trace: 'internals' })).not.toContain('internals')
  })

  test('of the key is one', () => {
    const fault = adapter.errorOf({ status: 401, body: '{"detail":"Unauthorized"}', header: () => '' })
    expect(fault.kind).toBe('credential')
  })
})

test('its models are listed', () => {
  const list = { object: 'list', data: [{ id: 'mistral-large-2411', capabilities: { completion_chat: true } }] }
  expect(adapter.models?.parse(JSON.stringify(list))).toEqual(['mistral-large-2411'])
})
