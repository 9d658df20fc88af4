import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Turn } from '../../../call/call.ts'
import { encodeRequest } from './encode.ts'

const turn = (role: Turn['role'], text: string, over: Partial<Turn> = {}): Turn => ({
  role,
  parts: text === '' ? [] : [{ type: 'text', text }],
  toolCalls: [],
  toolCallId: null,
  name: null,
  ...over,
})
const encode = (call: Partial<CanonicalCall>) => encodeRequest({ ...emptyCall, ...call }, { model: 'm', stream: true })

describe('a call of another form', () => {
  // Clients of other forms write an empty text beside calls of tools; here it is refused.
  test('leaves out texts that say nothing', () => {
    const silent = [{ type: 'text', text: '' }] as const
    const body = encode({
      turns: [
        turn('system', '', { parts: silent }),
        turn('user', 'Weather?'),
        turn('assistant', '', { parts: silent, toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] }),
        turn('tool', '', { parts: silent, toolCallId: 'c1' }),
        turn('user', '', { parts: [...silent, { type: 'text', text: 'And?' }] }),
      ],
    })
    expect(body.system).toBe(undefined)
    expect(body.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1' },
          { type: 'text', text: 'And?' },
        ],
      },
    ])
  })

  test('is said in the words of the dialect', () => {
    const call = { id: 'c1', name: 'look', arguments: '{"a":1}' }
    const body = encode({
      turns: [
        turn('system', 'Be brief.'),
        turn('user', '', {
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url: 'data:image/png;base64,AAAA', detail: 'low' },
            { type: 'file', source: { kind: 'data', data: 'aGk=' }, name: 'a.txt', mime: 'text/plain', text: null },
          ],
        }),
        turn('assistant', '', { toolCalls: [call, { ...call, id: 'c2', arguments: '' }] }),
        turn('tool', 'a fox', { toolCallId: 'c1' }),
        turn('tool', 'a cat', { toolCallId: 'c2', toolError: true }),
        turn('system', 'Now in French.'),
        turn('user', 'Go on.'),
      ],
      tools: [{ kind: 'function', name: 'look', description: null, parameters: null, strict: null }],
      toolChoice: 'required',
      parallelToolCalls: false,
      format: { type: 'json_schema', name: 'out', schema: { type: 'object' }, strict: null },
      reasoning: { effort: 'minimal' },
      stop: ['END'],
      user: 'anna',
      store: false,
      serviceTier: 'default',
    })
    expect(body).toEqual({
      model: 'm',
      max_tokens: 8192,
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Now in French.' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 'a.txt' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } },
            { type: 'tool_use', id: 'c2', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'a fox' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'a cat', is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
      stop_sequences: ['END'],
      metadata: { user_id: 'anna' },
      service_tier: 'standard_only',
      stream: true,
    })
  })

  test('leaves out thinking that was not signed here, or was changed since', () => {
    const parts = [
      { type: 'reasoning', text: 'a', data: null },
      { type: 'reasoning', text: 'b', data: { form: 'openai_responses', value: {} } },
      { type: 'text', text: 'c' },
    ] as const
    expect(encode({ turns: [turn('assistant', '', { parts })] }).messages).toEqual([
      { role: 'assistant', content: 'c' },
    ])
  })

  test.each<[string, Partial<CanonicalCall>]>([
    ['a tier it does not sell', { serviceTier: 'flex' }],
    [
      'arguments that are no object',
      { turns: [turn('assistant', '', { toolCalls: [{ id: 'a', name: 'b', arguments: '[' }] })] },
    ],
    [
      'an image that is no base64',
      { turns: [turn('user', '', { parts: [{ type: 'image', url: 'data:x,y', detail: null }] })] },
    ],
    ['a member whose place is gone', { extra: [{ form: 'anthropic_messages', at: '/messages/9/x', value: 1 }] }],
  ])('with %s is refused', (_what, call) => {
    expect(() => encode(call)).toThrow(expect.objectContaining({ kind: 'bad_request' }))
  })
})
