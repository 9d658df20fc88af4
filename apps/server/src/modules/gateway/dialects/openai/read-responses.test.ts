import { describe, expect, test } from 'vitest'
import { readResponses } from './read-responses.ts'

const plain = { toolCalls: [], toolCallId: null, name: null }

describe('the input of a response', () => {
  test('is a text, or items in which thoughts and calls belong to their message', () => {
    const { turns } = readResponses({
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Weather?' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          encrypted_content: 'sealed',
        },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Wait.', annotations: [] }],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{}', status: 'completed' },
        { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'sunny' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'rainy' }] },
        { role: 'assistant', content: 'Both.' },
        { role: 'developer', content: 'Go on.' },
      ],
    })
    expect(turns).toMatchObject([
      { role: 'system', at: '/instructions', parts: [{ text: 'Be brief.' }] },
      { ...plain, role: 'user', at: '/input/0', parts: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        at: '/input/1',
        parts: [
          { type: 'reasoning', text: 'Hm.', data: { form: 'openai_responses' } },
          { type: 'text', text: 'Wait.' },
        ],
        toolCalls: [
          { id: 'a', name: 'f', arguments: '{}' },
          { id: 'b', name: 'g', arguments: '{}' },
        ],
      },
      { role: 'tool', toolCallId: 'a', parts: [{ text: 'sunny' }] },
      { role: 'tool', toolCallId: 'b', parts: [{ text: 'rainy' }] },
      { role: 'assistant', toolCalls: [], parts: [{ text: 'Both.' }] },
      { role: 'system', parts: [{ text: 'Go on.' }] },
    ])
    expect(readResponses({ input: 'Hi' }).turns).toMatchObject([
      { role: 'user', at: '/input', parts: [{ text: 'Hi' }] },
    ])
  })

  test('keeps a sealed thought without what is not understood, whose texts are looked at beside it', () => {
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
    const { turns, extra } = readResponses({ input: [{ ...sealed, 'jane@example.org': 'x' }] })
    expect(turns[0]?.parts[0]).toMatchObject({ data: { value: sealed } })
    expect(JSON.stringify(turns)).not.toContain('jane')
    expect(extra).toMatchObject([{ at: '/input/0/jane@example.org', value: 'x' }])
  })

  test('loses nothing that it does not understand', () => {
    const call = readResponses({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x', y: 1 },
            { type: 'input_image', file_id: 'file-1' },
          ],
        },
        { type: 'web_search_call', id: 'ws_1' },
      ],
      text: { format: { type: 'text' }, verbosity: 'low' },
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      truncation: 'auto',
      prompt_cache_key: 'k',
      background: false,
      store: true,
    } as Parameters<typeof readResponses>[0])
    expect(call.extra.map(({ at }) => at)).toEqual([
      '/input/0/content/0/y',
      '/input/0/content/1',
      '/input/1',
      '/text/verbosity',
      '/reasoning/summary',
      '/truncation',
      '/include',
      '/prompt_cache_key',
    ])
    expect(call).toMatchObject({ store: false, logprobs: true, reasoning: { effort: 'high' }, format: null })
  })
})
