import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerEvent, type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { sse } from '../../framing.ts'
import { messageInBody } from '../../said-error.ts'
import { askingOf } from '../testing/asking.ts'
import { openAiAdapter, openAiResponsesAdapter } from './apis/adapter.ts'
import { createStreamDecoder, decodeAnswer } from './decode.ts'
import { encodeRequest } from './encode.ts'

const openAi = { maxTokensField: 'max_completion_tokens', knowsStore: true, knowsDeveloper: true } as const
const other = { maxTokensField: 'max_tokens', knowsStore: false, knowsDeveloper: false } as const

const call: CanonicalCall = {
  ...emptyCall,
  turns: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }], toolCalls: [], toolCallId: null, name: null },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'https://example.org/a.png', detail: 'low' },
      ],
      toolCalls: [],
      toolCallId: null,
      name: 'anna',
    },
    {
      role: 'assistant',
      parts: [],
      toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }],
      toolCallId: null,
      name: null,
    },
    { role: 'tool', parts: [{ type: 'text', text: 'a fox' }], toolCalls: [], toolCallId: 'c1', name: null },
  ],
  tools: [{ kind: 'function', name: 'look', description: 'Looks', parameters: { type: 'object' }, strict: true }],
  toolChoice: { name: 'look' },
  format: { type: 'json_schema', name: 'out', schema: { type: 'object' }, strict: null },
  temperature: 0.5,
  topP: 0.9,
  seed: 7,
  stop: ['END'],
  choices: 2,
  maxTokens: 100,
  metadata: { team: 'x' },
}

describe('a request', () => {
  test('carries every field of the call in the words of the dialect', () => {
    expect(encodeRequest(call, { model: 'm', stream: true }, openAi)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'anna',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', content: 'a fox', tool_call_id: 'c1' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks', parameters: { type: 'object' }, strict: true },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'look' } },
      response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' } } },
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ['END'],
      n: 2,
      max_completion_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  // The vendor: "Invalid value for 'content': expected a string, got null."
  test('has a text where a message says nothing, but for an answer that only calls tools', () => {
    const silent = call.turns.map((turn) => ({ ...turn, parts: [] }))
    const { messages } = encodeRequest({ ...emptyCall, turns: silent }, { model: 'm', stream: false }, openAi)
    expect(messages).toMatchObject([
      { role: 'system', content: '' },
      { role: 'user', content: '' },
      { role: 'assistant', content: null },
      { role: 'tool', content: '' },
    ])
  })

  test('leaves out what the caller did not set', () => {
    const plain = { ...emptyCall, turns: call.turns }
    const body = encodeRequest(plain, { model: 'm', stream: false }, other)
    expect(Object.keys(body)).toEqual(['model', 'messages'])
  })
})

describe('a complete answer', () => {
  test('becomes events', () => {
    const answer = {
      model: 'served',
      choices: [
        {
          index: 0,
          message: { content: 'Hi', tool_calls: [{ id: 'c', custom: null, function: { name: 'f', arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
    }
    expect(decodeAnswer(JSON.stringify(answer), emptyCall)).toEqual([
      { type: 'start', model: 'served', fingerprint: null },
      { type: 'text', choice: 0, channel: 'text', text: 'Hi' },
      { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      {
        type: 'usage',
        usage: { ...noTokens, inputTokens: 3, cachedTokens: 1, outputTokens: 2, source: 'upstream' },
      },
    ])
  })

  test.each(['', 'null', '[]', '{}', '{"choices":[]}', '{"choices":[{"message":{"content":5}}]}', '<html>'])(
    '%j is refused',
    (text) => {
      expect(() => decodeAnswer(text, emptyCall)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    },
  )
})

const stream = [
  { model: 'served', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  { choices: [{ index: 0, delta: { content: 'Grüße 🦊 ' } }] },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] } }] },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { arguments: '{"a":' } }] } }] },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '1}' } }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
]
const text = `: hello\n\n${stream.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')}data: [DONE]\n\n`
const bytes = new TextEncoder().encode(text)

async function* pieces(cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.slice(from, cut)
    from = cut
  }
}

async function decode(cuts: readonly number[]): Promise<AnswerEvent[]> {
  const decoder = createStreamDecoder(emptyCall)
  const events: AnswerEvent[] = []
  for await (const frame of sse.frames(pieces(cuts))) events.push(...decoder.push(frame))
  decoder.end()
  return events
}

describe('a stream', () => {
  test('gives the same events wherever its bytes are cut', async () => {
    const whole = await decode([])
    expect(whole.map(({ type }) => type)).toEqual([
      'start',
      'text',
      'tool_call',
      'tool_arguments',
      'tool_arguments',
      'finish',
      'usage',
    ])
    for (let cut = 1; cut < bytes.length; cut += 1) expect(await decode([cut])).toEqual(whole)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 60 }),
        async (cuts) => {
          expect(await decode(cuts.sort((a, b) => a - b))).toEqual(whole)
        },
      ),
    )
  })

  const calledIn = (...pieces: readonly object[]) => {
    const decoder = createStreamDecoder(emptyCall)
    return pieces
      .flatMap((piece) =>
        decoder.push({ event: null, data: JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: piece } }] }) }),
      )
      .filter(({ type }) => type !== 'start')
  }
  const begun = (id: string | null, town: string) => ({
    ...(id === null ? {} : { id }),
    function: { name: 'look', arguments: `{"town":"${town}"}` },
  })
  const expected = (...ids: readonly unknown[]) =>
    ids.flatMap((id, index) => [
      { type: 'tool_call', choice: 0, index, id, name: 'look' },
      { type: 'tool_arguments', choice: 0, index, text: index === 0 ? '{"town":"Bern"}' : '{"town":"Rome"}' },
    ])

  // Servers that speak like OpenAI for Gemini: no index, or the same one for every call.
  test.each([
    ['in one piece without a place', [[begun('a', 'Bern'), begun('b', 'Rome')]]],
    ['in two pieces without a place', [[begun('a', 'Bern')], [begun('b', 'Rome')]]],
    ['in two pieces at the same place', [[{ index: 0, ...begun('a', 'Bern') }], [{ index: 0, ...begun('b', 'Rome') }]]],
  ])('keeps calls apart that come %s', (_, pieces) => {
    expect(calledIn(...pieces)).toEqual(expected('a', 'b'))
  })

  test('names a call that has no id, and gives it one', () => {
    const made = expect.stringMatching(/^call_[0-9a-f]{24}$/)
    const events = calledIn([begun(null, 'Bern'), begun('', 'Rome')])
    const whole = { message: { tool_calls: [begun(null, 'Bern'), begun('', 'Rome')] }, finish_reason: 'tool_calls' }
    expect(decodeAnswer(JSON.stringify({ choices: [whole] }), emptyCall).slice(1, -1)).toEqual(events)
    expect(events).toEqual(expected(made, made))
    expect(new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []))).size).toBe(2)
  })

  test('goes on with a call by its place, or with the last that began where there is none', () => {
    const events = calledIn(
      [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }],
      [{ index: 1, id: 'b', function: { name: 'look', arguments: '' } }],
      [{ index: 0, function: { arguments: '{' } }],
      [{ function: { arguments: '[' } }],
      [{ index: 0, id: 'a', function: { name: 'look', arguments: '}' } }],
    )
    expect(events.slice(2)).toEqual([
      { type: 'tool_arguments', choice: 0, index: 0, text: '{' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '[' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '}' },
    ])
  })

  test('that ends before its choices are finished is broken', () => {
    const decoder = createStreamDecoder(emptyCall)
    decoder.push({ event: null, data: JSON.stringify(stream[1]) })
    expect(() => decoder.end()).toThrow(expect.objectContaining({ kind: 'broken' }))
  })

  test.each([
    [{ error: { message: 'slow down', type: 'rate_limit_error' } }, 'rate_limited'],
    [{ error: { message: 'boom', code: 500 } }, 'server_error'],
    [{ error: { message: 'who?', type: 'authentication_error' } }, 'credential'],
    [{ choices: 'x' }, 'invalid'],
  ])('the event %j is the fault it stands for', (event, kind) => {
    expect(() => createStreamDecoder(emptyCall).push({ event: null, data: JSON.stringify(event) })).toThrow(
      expect.objectContaining({ kind }),
    )
  })
})

describe('an error body', () => {
  test('is passed on in one line, without what looks like a key', () => {
    const message = 'Incorrect API key provided: sk-abcdefghijklmnop1234.\nTry again'
    expect(messageInBody(JSON.stringify({ error: { message } }))).toBe('Incorrect API key provided: [secret] Try again')
  })

  test('that is not JSON is not passed on', () => {
    expect(messageInBody('<h1>secret internals</h1>')).not.toContain('internals')
  })
})

test('a call belongs to the organization and the project that the provider names', async () => {
  const settings = { organization: 'org-acme', project: 'proj_1' }
  for (const adapter of [openAiAdapter, openAiResponsesAdapter]) {
    const { headers } = await adapter.request(askingOf(adapter, { settings }))
    expect(headers).toMatchObject({ 'openai-organization': 'org-acme', 'openai-project': 'proj_1' })
    expect((await adapter.request(askingOf(adapter))).headers).not.toHaveProperty('openai-project')
  }
})
