import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

const messages = [{ role: 'user', content: 'Hello there' }] as const
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Weather of a town',
    parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  },
} as const

describe('chat on the built-in provider', () => {
  test('answers in the form of the vendor, with what is ours in headers', async () => {
    const { data, response } = await at.openai.chat.completions
      .create({ model: 'echo-1', messages: [...messages] })
      .withResponse()
    expect(data).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'echo-1',
      system_fingerprint: 'offline-demo',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringContaining('[offline demo'), refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: expect.objectContaining({ prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) }),
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_/),
      'x-gateway-provider': 'echo',
      'x-gateway-model': 'echo-1',
      'x-gateway-cache': 'off',
      'x-gateway-injection-score': expect.stringMatching(/^[01](\.\d+)?$/),
      'x-gateway-pii-detected': 'false',
      'x-gateway-violations': '0',
      'x-gateway-pipeline-ms': expect.stringMatching(/^\d+(\.\d+)?$/),
      'x-gateway-cost': expect.any(String),
      'x-gateway-offline': 'true',
      'x-ratelimit-limit': expect.any(String),
    })
    const logged = await at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)
    expect(logged.body.data).toMatchObject({ dialect: 'openai', operation: 'chat', status: 'completed' })
  })

  test('calls a tool', async () => {
    const { choices } = await at.openai.chat.completions.create({
      model: 'echo-script-1',
      messages: [{ role: 'user', content: 'call the tool' }],
      tools: [weather],
    })
    const [call] = choices[0]?.message.tool_calls ?? []
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    expect(call).toMatchObject({
      type: 'function',
      function: { name: 'weather', arguments: expect.stringContaining('town') },
    })
  })

  test('answers in the form of a schema, which the client reads', async () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
    const parsed = await at.openai.chat.completions.create({
      model: 'test-model',
      messages: [...messages],
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema, strict: true } },
    })
    expect(parsed.choices[0]?.message.content).toBe('Hello.')
    expect(at.upstream.received.at(-1)?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'verdict', schema, strict: true },
    })
    at.upstream.reply(answer({ content: '{"ok":true}' }))
    const read = await at.openai.chat.completions.parse({
      model: 'test-model',
      messages: [{ role: 'user', content: 'Is it so?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema, strict: true } },
    })
    expect(read.choices[0]?.message.parsed).toEqual({ ok: true })
  })
})

describe('chat on a provider that speaks the form', () => {
  test('several tools are called at once and answered', async () => {
    const call = (id: string, town: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'weather', arguments: JSON.stringify({ town }) },
    })
    const calls = [call('call_a', 'Bern'), call('call_b', 'Genf')]
    at.upstream.reply(
      answer({ content: null, tool_calls: calls }, 'tool_calls'),
      answer({ content: 'Both are sunny.' }),
    )
    const first = await at.openai.chat.completions.create({
      model: 'test-model',
      messages: [...messages],
      tools: [weather],
    })
    expect(first.choices[0]?.message).toMatchObject({ content: null, tool_calls: calls })
    const asked = first.choices[0]?.message
    if (asked === undefined) return expect.unreachable()
    const second = await at.openai.chat.completions.create({
      model: 'test-model',
      messages: [
        ...messages,
        asked,
        ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'sunny' })),
      ],
      tools: [weather],
    })
    expect(second.choices[0]?.message.content).toBe('Both are sunny.')
    expect(at.upstream.received.at(-1)?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_a' },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_b' },
    ])
  })

  test('pictures and files go as they came', async () => {
    at.upstream.reply(answer({ content: 'Seen.' }))
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' as const } },
      { type: 'file' as const, file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
    ]
    const seen = await at.openai.chat.completions.create({ model: 'test-model', messages: [{ role: 'user', content }] })
    expect(seen.choices[0]?.message.content).toBe('Seen.')
    expect(at.upstream.received.at(-1)?.body.messages[0].content).toEqual(content)
  })

  test('probabilities of tokens come back', async () => {
    const logprobs = {
      content: [{ token: 'Yes', logprob: -0.1, bytes: [89, 101, 115], top_logprobs: [] }],
      refusal: null,
    }
    at.upstream.reply(answer({ content: 'Yes' }, 'stop', { logprobs }))
    const said = await at.openai.chat.completions.create({
      model: 'test-model',
      messages: [{ role: 'user', content: 'Yes or no?' }],
      logprobs: true,
      top_logprobs: 2,
    })
    expect(said.choices[0]?.logprobs).toEqual(logprobs)
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ logprobs: true, top_logprobs: 2 })
  })

  test('a wish that answers be kept does not reach the provider', async () => {
    at.upstream.reply(answer({ content: 'Fine.' }))
    await at.openai.chat.completions.create({
      model: 'test-model',
      messages: [{ role: 'user', content: 'Keep it' }],
      store: true,
    })
    expect(at.upstream.received.at(-1)?.body.store ?? false).toBe(false)
  })

  test('headers choose the provider, tighten what is kept and tag the call', async () => {
    at.upstream.reply(answer({ content: 'Tagged.' }))
    const headers = {
      'X-Gateway-Provider': 'local',
      'X-Gateway-Tags': 'billing,night',
      'X-Gateway-Retention': 'metadata',
      'X-Gateway-Cache': 'off',
    }
    const { response } = await at.openai.chat.completions
      .create({ model: 'test-other', messages: [...messages] }, { headers })
      .withResponse()
    const logged = await at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)
    expect(logged.body.data).toMatchObject({
      provider: 'local',
      model: 'test-other',
      tags: ['billing', 'night'],
      retention: 'metadata',
      payload: null,
    })
  })
})
