import type Anthropic from '@anthropic-ai/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'
import { message, searched, thoughtful } from '../testing/anthropic-shapes.ts'
import {
  type AnthropicWorld,
  answering,
  echo,
  hello,
  noCache,
  openAnthropicWorld,
  streaming,
} from '../testing/anthropic-world.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { say, streamed, type Upstream } from '../testing/upstream.ts'

let open: AnthropicWorld
let vendor: Upstream
let other: Upstream
let client: Anthropic
let tenant: TestTenant

beforeAll(async () => {
  open = await openAnthropicWorld('anthropic')
  ;({ vendor, other, client, tenant } = open)
})

afterAll(() => open?.close())

afterEach(() => {
  vendor.received.splice(0)
  other.received.splice(0)
})

const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'Tells the weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}

test('thinking that the policy leaves no room for is refused in words that say so', async () => {
  await onlyPolicy(tenant, { models: { max_output_tokens: 4096 } })
  const thinking = { type: 'enabled', budget_tokens: 5000 } as const
  const asked = client.messages.create({ ...hello, max_tokens: 9000, thinking })
  await expect(asked).rejects.toMatchObject({ status: 403, message: expect.stringContaining('up to 4096 tokens') })
  expect(vendor.received).toEqual([])
  await onlyPolicy(tenant, {})
})

describe('the vendor’s client with the offline provider', () => {
  test('gets an answer', async () => {
    const { data, response } = await client.messages.create(echo).withResponse()
    expect(data).toMatchObject({ type: 'message', role: 'assistant', model: 'echo-1', stop_reason: 'end_turn' })
    expect(data.id).toMatch(/^msg_/)
    expect(data.content).toEqual([{ type: 'text', text: expect.stringContaining('offline demo') }])
    expect(data.usage.output_tokens).toBeGreaterThan(0)
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(response.headers.get('x-gateway-provider')).toBe('echo')
    expect(response.headers.get('x-gateway-offline')).toBe('true')
  })

  test('streams the same answer, in the vendor’s order of events', async () => {
    const whole = await client.messages.create(echo)
    const stream = client.messages.stream(echo)
    const types: string[] = []
    stream.on('streamEvent', ({ type }) => {
      if (types.at(-1) !== type) types.push(type)
    })
    const final = await stream.finalMessage()
    expect(final.content).toEqual(whole.content)
    expect(final.usage.output_tokens).toBe(whole.usage.output_tokens)
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test.each([false, true])('calls a tool (streamed: %j)', async (streams) => {
    const body: Anthropic.MessageCreateParamsNonStreaming = {
      ...hello,
      model: 'echo-script-1',
      messages: [{ role: 'user', content: 'call the tool' }],
      tools: [weather],
    }
    const answer = streams
      ? await client.messages.stream({ ...body, stream: true }).finalMessage()
      : await client.messages.create(body)
    expect(answer.stop_reason).toBe('tool_use')
    expect(answer.content).toMatchObject([
      { type: 'text' },
      { type: 'tool_use', name: 'weather', input: { city: 'call the tool' } },
    ])
  })

  test('takes an access token in the place of a key', async () => {
    const byToken = open.clientWith({ apiKey: null, authToken: tenant.admin.token })
    expect((await byToken.messages.create(echo)).type).toBe('message')
  })
})

describe('a provider of the same form', () => {
  test('gets the body and gives the answer as they are', async () => {
    const answer = message(thoughtful, { stop_reason: 'tool_use', novelty: { deep: [1] } })
    vendor.reply(answering(answer))
    const body: Anthropic.MessageCreateParamsNonStreaming = {
      ...hello,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' },
      tools: [weather, { type: 'web_search_20260318', name: 'web_search' }],
      metadata: { user_id: 'u-1' },
    }
    expect(await client.messages.create(body, noCache)).toEqual(answer)
    const [sent] = vendor.received
    expect(sent?.path).toBe('/v1/messages')
    const [system] = sent?.body.system ?? []
    expect(system).toMatchObject({ cache_control: { type: 'ephemeral' } })
    expect(sent?.body).toMatchObject({ ...body, system: [{ type: 'text' }], messages: [...body.messages] })
  })

  test.each([
    ['thinking and tools', thoughtful, 'tool_use'],
    ['a search that ran at the vendor', searched, 'end_turn'],
  ])('streams %s as a complete answer would be', async (_what, content, stop_reason) => {
    vendor.reply(streaming(content, { stop_reason }))
    const final = await client.messages.stream(hello, noCache).finalMessage()
    expect(final.content).toEqual(content)
    expect(final).toMatchObject({ id: 'msg_01', model: 'claude-test-1', stop_reason })
    expect(final.usage).toMatchObject({ input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 3 })
  })

  test('gets its thinking back with the signature', async () => {
    vendor.reply(answering(message(searched)))
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: thoughtful },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' }] },
    ]
    const answer = await client.messages.create({ ...hello, messages: messages as Anthropic.MessageParam[] }, noCache)
    expect(answer.content).toEqual(searched)
    expect(vendor.received[0]?.body.messages[1].content).toEqual(thoughtful)
  })

  test('gets the signature also of thinking whose values are hidden, as long as tools are called', async () => {
    vendor.reply(answering(message(searched)))
    const thinking = { type: 'thinking', thinking: 'They mean anna@example.org.', signature: 'c2lnbmVk' }
    const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }
    const messages = [
      { role: 'user', content: 'Write to anna@example.org' },
      { role: 'assistant', content: [thinking, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' }] },
    ]
    const later = [...messages, { role: 'assistant', content: 'Rain.' }, { role: 'user', content: 'Thanks' }]
    for (const said of [messages, later])
      await client.messages.create({ ...hello, messages: said as Anthropic.MessageParam[] }, noCache)
    const [needed, past] = vendor.received.map(({ body }) => body.messages[1].content)
    expect(needed).toEqual([{ ...thinking, thinking: 'They mean ⟦EMAIL_1⟧.' }, call])
    expect(past).toEqual([call])
  })

  test('gives the counts of its cache to the log', async () => {
    vendor.reply(answering(message([{ type: 'text', text: 'Counted.' }])))
    const { response } = await client.messages.create(hello, noCache).withResponse()
    expect(response.headers.get('x-gateway-model')).toBe('claude-test-1')
    const { data } = (await tenant.admin.get('/gateway/requests', { query: { provider: 'vendor', limit: '1' } })).body
    expect(data[0]).toMatchObject({
      dialect: 'anthropic',
      operation: 'messages',
      usage: { prompt_tokens: 19, completion_tokens: 7, cached_tokens: 3 },
    })
  })

  test('has what is personal hidden from it, and the caller gets it back', async () => {
    vendor.reply((response, received) => {
      const said = received.body.messages[0].content
      return answering(message([{ type: 'text', text: `You said: ${said}` }]))(response, received)
    })
    const body: Anthropic.MessageCreateParamsNonStreaming = {
      ...hello,
      messages: [{ role: 'user', content: 'Write to anna@example.org' }],
    }
    const answer = await client.messages.create(body, noCache)
    expect(vendor.received[0]?.body.messages[0].content).toContain('⟦EMAIL_1⟧')
    expect(answer.content).toEqual([{ type: 'text', text: 'You said: Write to anna@example.org' }])
  })

  test('lists its models', async () => {
    vendor.reply(answering({ data: [{ type: 'model', id: 'claude-test-1' }], has_more: false }))
    const { id } = (await tenant.admin.get('/gateway/providers', { query: { kind: 'anthropic' } })).body.data[0]
    const report = (await tenant.admin.post(`/gateway/providers/${id}/test`, {})).body.data
    expect(report.models_found).toEqual(['claude-test-1'])
  })
})

describe('parties of different forms', () => {
  test('an OpenAI-like provider answers the vendor’s client', async () => {
    other.reply(
      say('Hi there.', {
        reasoning_content: 'A greeting.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      }),
    )
    const body = { ...hello, model: 'test-model', system: 'Be kind.', tools: [weather], stop_sequences: ['END'] }
    const answer = await client.messages.create(body, noCache)
    expect(answer.content).toEqual([
      { type: 'thinking', thinking: 'A greeting.', signature: '' },
      { type: 'text', text: 'Hi there.' },
      { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
    ])
    expect(answer).toMatchObject({ model: 'served-model', stop_reason: 'tool_use', usage: { input_tokens: 11 } })
    expect(other.received[0]?.body).toMatchObject({
      max_tokens: 200,
      stop: ['END'],
      messages: [{ role: 'system' }, { role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name: 'weather' } }],
    })
  })

  test('and streams to it', async () => {
    other.reply(streamed(['Hel', 'lo ', 'you.']))
    const final = await client.messages.stream({ ...hello, model: 'test-model' }, noCache).finalMessage()
    expect(final.content).toEqual([{ type: 'text', text: 'Hello you.' }])
    expect(final.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 })
  })

  test('a call in our own form is answered by the vendor', async () => {
    vendor.reply(answering(message(thoughtful, { stop_reason: 'tool_use' })))
    const body = {
      model: 'claude-test-1',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
      cache: { mode: 'off' },
    }
    const { data } = expectStatus(await tenant.admin.post('/gateway/chat/completions', body), 200).body
    expect(data.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I will look it up.',
        tool_calls: [{ id: 'toolu_1', function: { name: 'weather' } }, { id: 'toolu_2' }],
      },
    })
    expect(vendor.received[0]?.body.system[0].text).toContain('Be kind.')
  })

  test('what only one of them knows is refused, not lost', async () => {
    const body = { ...hello, model: 'test-model', inference_geo: 'eu' }
    await expect(client.messages.create(body)).rejects.toMatchObject({ status: 422, errorCode: 'GW-022' })
    expect(other.received).toEqual([])
  })
})
