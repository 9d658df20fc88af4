import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { encodeRequest } from '../../providers/adapters/openai/encode.ts'
import type { OpenAiChat } from './chat-schema.ts'
import { readOpenAiChat } from './read-chat.ts'

const said = (over: object): OpenAiChat => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...over })

/** The body sent to a provider of the same form. */
function passed(body: OpenAiChat): Record<string, unknown> {
  const dialect = { maxTokensField: 'max_completion_tokens', knowsStore: true, knowsDeveloper: true } as const
  return encodeRequest(readOpenAiChat(body), { model: 'm', stream: body.stream === true }, dialect)
}

describe('a body of the vendor’s', () => {
  test('passes to the vendor with every member, known here or not', () => {
    const body = said({
      messages: [
        { role: 'system', content: 'Be brief.', x_note: 'a' },
        {
          role: 'user',
          name: 'jane',
          content: [
            { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } },
            { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'original', x: 1 } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'mp3', x: 1 } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'file', file: { file_id: 'file-1', 'x\ny': 1 } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          audio: { id: 'audio-1' },
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'f', arguments: '{}', x: 1 },
              extra_content: { google: { sig: 's' } },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
          tool_call_id: 'a',
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'g', input: 'x', x: 1 } }],
        },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true, x: 1 },
        },
        { type: 'custom', custom: { name: 'g' } },
      ],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', description: 'd', schema: {}, strict: true, x: 1 },
        x: 1,
      },
      reasoning_effort: 'low',
      max_completion_tokens: 9,
      temperature: 0.5,
      top_p: 0.5,
      n: 2,
      seed: 1,
      stop: ['x'],
      frequency_penalty: 0.1,
      presence_penalty: 0.1,
      logprobs: true,
      top_logprobs: 2,
      parallel_tool_calls: false,
      user: 'u',
      service_tier: 'flex',
      logit_bias: { '1': 2 },
      prediction: { type: 'content', content: 'x' },
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    })
    expect(passed(body)).toEqual(body)
  })

  test('loses only wishes to be kept, empty members and old names', () => {
    const body = said({ store: true, max_tokens: 5, stop: 'x', audio: null, metadata: { a: 'b' } })
    expect(passed(body)).toEqual({
      ...said({}),
      messages: [{ role: 'user', content: 'Hi' }],
      store: false,
      max_completion_tokens: 5,
      stop: ['x'],
    })
  })

  test('keeps its members with its messages when a policy puts words before them', () => {
    const call = readOpenAiChat(said({ messages: [{ role: 'user', content: 'Hi', 'x\nnote': 'a' }] }))
    const [turn] = call.turns
    if (turn === undefined) return expect.unreachable()
    const added = { ...turn, role: 'system' as const, at: '' }
    const moved = { ...call, turns: [added, { ...turn, at: '/messages/0' }] }
    const { messages } = encodeRequest(
      moved,
      { model: 'm', stream: false },
      { maxTokensField: 'max_tokens', knowsStore: false, knowsDeveloper: false },
    )
    expect(messages).toEqual([
      { role: 'system', content: 'Hi' },
      { role: 'user', content: 'Hi', 'x\nnote': 'a' },
    ])
  })
})

test.each([
  [{ messages: [{ role: 'user', content: null }] }, '/messages/0/content'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, '/messages/0/tool_call_id'],
  [{ messages: [{ role: 'user', content: 'x', tool_call_id: 'a' }] }, '/messages/0/tool_call_id'],
  [{ functions: [] }, '/functions'],
  [{ function_call: 'auto' }, '/function_call'],
])('%j is refused at %s', (over, pointer) => {
  const read = () => readOpenAiChat(said(over))
  expect(read).toThrow(ProblemError)
  try {
    read()
  } catch (error) {
    expect(error instanceof ProblemError ? error.parts[0]?.pointer : null).toBe(pointer)
  }
})
