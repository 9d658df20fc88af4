import { describe, expect, test } from 'vitest'
import type { CanonicalCall } from '../../call/call.ts'
import { fitCall } from '../../call/fields.ts'
import { anthropicAdapter } from '../../providers/adapters/anthropic/adapter.ts'
import { encodeRequest } from '../../providers/adapters/anthropic/encode.ts'
import { openAiCompatibleAdapter } from '../../providers/adapters/openai/apis/adapter.ts'
import { readOpenAiChat } from '../openai/read-chat.ts'
import type { MessagesBody } from './messages-schema.ts'
import { readMessages } from './read.ts'

const noHeaders = { header: () => undefined }
const read = (body: object, headers: Parameters<typeof readMessages>[1] = noHeaders): CanonicalCall =>
  readMessages({ max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...body } as MessagesBody, headers)

const again = (body: object, change = (call: CanonicalCall) => call) =>
  encodeRequest(change(read(body)), { model: 'm', stream: false })

const ephemeral = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }

/** All members of the form, known and unknown, in the longer notation if there are two. */
const rich = {
  model: 'm',
  max_tokens: 500,
  system: [
    { type: 'text', text: 'Be brief.', cache_control: hour },
    { type: 'text', text: 'Be kind.', novelty: 1 },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.', cache_control: ephemeral },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' }, transformations: { crop: true } },
        { type: 'image', source: { type: 'file', file_id: 'file_1' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }, title: 'One' },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' }, context: 'c' },
        { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' }, citations: { enabled: true } },
        { type: 'document', source: { type: 'file', file_id: 'file_2' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'found' }] },
        { type: 'text', text: 'And?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'b3Bh' },
        { type: 'text', text: 'I search.' },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
        { type: 'text', text: 'I call.', citations: [{ type: 'char_location', cited_text: 'x' }] },
        { type: 'tool_use', id: 't1', name: 'look', input: { a: [1, { b: 'c' }] }, caller: { type: 'direct' } },
        { type: 'tool_use', id: 't2', name: 'wait', input: {}, cache_control: ephemeral },
        { type: 'text', text: 'And wait.' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'done', cache_control: ephemeral },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool_reference', tool_name: 'x' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
          is_error: true,
          toolset_name: 'b',
        },
        { type: 'tool_result', tool_use_id: 't3' },
        { type: 'text', text: 'Go on.' },
      ],
    },
    { role: 'user', content: 'Please.' },
    { role: 'system', content: 'The user is new.' },
    { role: 'assistant', content: [{ type: 'server_tool_use', id: 's2', name: 'x', input: {} }] },
  ],
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
  service_tier: 'standard_only',
  tools: [
    { name: 'look', description: 'Looks', input_schema: { type: 'object' }, strict: true, cache_control: hour },
    { type: 'custom', name: 'wait', input_schema: { type: 'object' }, defer_loading: true },
    { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
  ],
  tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' },
  output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } }, other: 1 },
  container: { id: 'c' },
  mcp_servers: [{ type: 'url', url: 'https://example.org' }],
} as const

describe('a body of the form', () => {
  test('goes to a provider of the form as it came', () => {
    const { type: _, ...wait } = rich.tools[1]
    expect(again(rich)).toEqual({ ...rich, tools: [rich.tools[0], wait, rich.tools[2]] })
  })

  test('keeps its places when a policy adds its own system text', () => {
    const added = {
      role: 'system',
      parts: [{ type: 'text', text: 'Policy.' }],
      toolCalls: [],
      toolCallId: null,
    } as const
    const first = { ...added, name: null, at: '' }
    const body = again(rich, (call) => ({ ...call, turns: [first, ...call.turns] }))
    expect(body.system).toEqual([{ type: 'text', text: 'Policy.' }, ...rich.system])
    expect(body.messages).toEqual(rich.messages)
  })

  test.each([
    [{ thinking: { type: 'disabled' } }],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [{ output_config: { effort: 'low' } }],
    [{ tool_choice: { type: 'any' } }],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: false } }],
    [{ tool_choice: { type: 'none' } }],
    [{ service_tier: 'auto' }],
    [{ cache_control: { type: 'ephemeral' } }],
    [{ system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '5m' } }] }],
    [{ system: [{ type: 'text', text: 'a', cache_control: { type: 'new', x: 1 } }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'novelty', text: 'x' }] }] }],
  ])('with %j too', (body) => {
    const { disable_parallel_tool_use: _, ...choice } = {
      disable_parallel_tool_use: false,
      ...Reflect.get(body, 'tool_choice'),
    }
    const expected = 'tool_choice' in body ? { tool_choice: choice } : body
    expect(again(body)).toMatchObject(expected)
  })

  test('asks for its beta features in a header again', async () => {
    const headers = { header: (name: string) => (name === 'anthropic-beta' ? 'files-2026, new.thing' : undefined) }
    const provider = { baseUrl: 'https://example.org/v1/' } as Parameters<
      typeof anthropicAdapter.request
    >[0]['provider']
    const asking = { provider, secret: null, now: 0, model: 'm', stream: true, call: read({}, headers) }
    const credentials = { token: () => Promise.reject(new Error('unused')) }
    const request = await anthropicAdapter.request({ ...asking, credentials })
    expect(request.url).toBe('https://example.org/v1/messages')
    expect(request.headers).toMatchObject({
      'anthropic-beta': 'files-2026,new.thing',
      'anthropic-version': '2023-06-01',
    })
    expect(JSON.parse(String(request.body))).not.toHaveProperty('betas')
    expect(() => read({}, { header: () => 'a b' })).toThrow('anthropic-beta')
  })
})

describe('the canonical call', () => {
  test('has results of tools as turns of their own, with their places', () => {
    const { turns } = read(rich)
    expect(turns.map(({ role, at }) => [role, at])).toEqual([
      ['system', '/system'],
      ['user', '/messages/0'],
      ['assistant', '/messages/1'],
      ['assistant', '/messages/1'],
      ['tool', '/messages/2/content/0'],
      ['tool', '/messages/2/content/1'],
      ['tool', '/messages/2/content/2'],
      ['user', '/messages/2'],
      ['user', '/messages/3'],
      ['system', '/messages/4'],
      ['assistant', '/messages/5'],
    ])
    expect(turns[5]).toMatchObject({ toolCallId: 't2', toolError: true })
  })

  test('is refused by a provider of another form with the place of what it cannot take', () => {
    const refused = (body: object) => fitCall(read(body), openAiCompatibleAdapter, false).refused
    expect(refused({ container: 'c' })).toEqual(['/container'])
    expect(refused({ tools: [{ type: 'web_search_20260318', name: 'web_search' }] })).toEqual(['/tools/0'])
    expect(refused({ thinking: { type: 'enabled', budget_tokens: 2000 } })).toEqual([])
    expect(refused({ thinking: { type: 'another' } })).toEqual(['/thinking'])
    expect(refused({ system: [{ type: 'text', text: 'x', cache_control: ephemeral }] })).toEqual([])
  })

  test.each(['low', 'xhigh', 'max'])('asks a provider of another form to think %s too', (effort) => {
    const { call, refused } = fitCall(read({ output_config: { effort } }), openAiCompatibleAdapter, false)
    expect([call.reasoning, refused]).toEqual([{ effort }, []])
    const chat = readOpenAiChat({ messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: effort })
    expect(fitCall(chat, anthropicAdapter, false)).toMatchObject({ call: { reasoning: { effort } }, refused: [] })
  })

  test('goes to a provider of another form without a wish to cache that has no place there, and with a trace', () => {
    const called = { type: 'tool_use', id: 't', name: 'look', input: {}, cache_control: ephemeral }
    const silent = { type: 'tool_result', tool_use_id: 't', cache_control: ephemeral }
    const messages = [
      { role: 'assistant', content: [called] },
      { role: 'user', content: [silent] },
    ]
    expect(fitCall(read({ messages, cache_control: ephemeral }), openAiCompatibleAdapter, false)).toMatchObject({
      refused: [],
      dropped: ['/messages/0/content/0/cache_control', '/messages/1/content/0/cache_control', '/cache_control'],
    })
  })

  test('has a sealed thought without what is not understood, whose texts are looked at beside it', () => {
    const content = [{ type: 'redacted_thinking', data: 'b3Bh', 'jane@example.org': 'x' }]
    const { turns, extra } = read({ messages: [{ role: 'assistant', content }] })
    expect(turns[0]?.parts[0]).toMatchObject({ data: { value: { type: 'redacted_thinking', data: 'b3Bh' } } })
    expect(JSON.stringify(turns)).not.toContain('jane')
    expect(extra).toMatchObject([{ at: '/messages/0/content/0/jane@example.org', value: 'x' }])
  })

  test('takes what stands beside the name of the end user as metadata for us', () => {
    const call = read({ metadata: { user_id: 'u', purpose: 'support' } })
    expect([call.user, call.metadata]).toEqual(['u', { purpose: 'support' }])
  })

  test('is not made of a tool without a name or a schema', () => {
    expect(() => read({ tools: [{ name: 'x' }] })).toThrow('needs a name')
  })
})
