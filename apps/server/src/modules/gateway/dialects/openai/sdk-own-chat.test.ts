/** Members that only OpenAI's own form has: they arrive and come back unchanged, and are still inspected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, chunks, delta, usage } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { addProvider } from '../../testing/support.ts'

let at: OpenAiWorld
let openai: OpenAiWorld['openai']
beforeAll(async () => {
  at = await openOpenAiWorld()
  openai = at.with({ defaultHeaders: { 'x-gateway-cache': 'off' } })
  await addProvider(at.admin, 'vendor', at.upstream, { kind: 'openai', models: ['gpt-*', 'gpt-own'] })
})
afterAll(() => at.close())

const messages = [{ role: 'user', content: 'Run it' }] as const
const tools = [{ type: 'custom', custom: { name: 'python', description: 'Runs code' } }] as const
const card = '4111 1111 1111 1111'
const asking = { model: 'gpt-own', messages: [...messages], tools: [...tools] }
const call = (input: string) => ({ id: 'call_1', type: 'custom', custom: { name: 'python', input } })

/** The client's own types of a stream do not know custom tools yet. */
interface Called {
  readonly type?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly custom?: { readonly name?: string; readonly input?: string }
}

describe('a custom tool', () => {
  test('is called with a text that is no JSON', async () => {
    at.upstream.reply(answer({ content: null, tool_calls: [call('print("a\\n")')] }, 'tool_calls'))
    const { choices } = await openai.chat.completions.create(asking)
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ tools: [...tools] })
    expect(choices[0]?.message.tool_calls).toEqual([call('print("a\\n")')])
    expect(choices[0]?.finish_reason).toBe('tool_calls')
  })

  test('is called the same way in a stream, beside one with JSON', async () => {
    const pieces = ['pri', 'nt(', '1)']
    at.upstream.reply(
      chunks([
        delta({ role: 'assistant', tool_calls: [{ index: 0, ...call('') }] }),
        ...pieces.map((input) => delta({ tool_calls: [{ index: 0, custom: { input } }] })),
        delta({ tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
        delta({}, 'tool_calls'),
      ]),
    )
    const stream = await openai.chat.completions.create({ ...asking, stream: true })
    const calls = new Map<number, { kind: string; name: string; given: string }>()
    for await (const { choices } of stream)
      for (const { index, ...one } of choices[0]?.delta.tool_calls ?? []) {
        const called: Called = one
        const known = calls.get(index) ?? { kind: '', name: '', given: '' }
        calls.set(index, {
          kind: called.type ?? known.kind,
          name: called.custom?.name ?? called.function?.name ?? known.name,
          given: known.given + (called.custom?.input ?? called.function?.arguments ?? ''),
        })
      }
    expect([...calls.values()]).toEqual([
      { kind: 'custom', name: 'python', given: 'print(1)' },
      { kind: 'function', name: 'f', given: '{}' },
    ])
  })

  test('is looked at like every other text of an answer', async () => {
    at.upstream.reply(answer({ content: null, tool_calls: [call(`pay("${card}")`)] }, 'tool_calls'))
    const { data, response } = await openai.chat.completions.create(asking).withResponse()
    expect(data.choices[0]?.message.tool_calls).toEqual([call('pay("⟦OUT_CREDIT_CARD_1⟧")')])
    const logged = await at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)
    expect(logged.body.data.security.policy_violations).toMatchObject([
      { rule_id: 'CREDIT_CARD', location: '/choices/0/message/tool_calls/0/custom/input' },
    ])
  })

  test('gets the caller’s own values back, as text and not as JSON', async () => {
    at.upstream.reply(answer({ content: null, tool_calls: [call('mail "⟦EMAIL_1⟧"\n')] }, 'tool_calls'))
    const { choices } = await openai.chat.completions.create({
      ...asking,
      messages: [{ role: 'user', content: 'Write to maria.keller@example.com' }],
    })
    expect(choices[0]?.message.tool_calls).toEqual([call('mail "maria.keller@example.com"\n')])
  })

  test('that the policy does not allow is not called', async () => {
    const denied = asking.tools.map(({ type }) => ({ type, custom: { name: 'shell' } }) as const)
    const document = { content: { tools: { deny: ['shell'] } } }
    const made = await at.admin.post('/gateway/policies', { name: 'no-shell', document })
    await at.admin.post(`/gateway/policies/${made.body.data.id}/publish`, { version: 1 })
    const headers = { 'x-gateway-policy': 'no-shell' }
    const asked = openai.chat.completions.create({ ...asking, tools: denied }, { headers })
    await expect(asked).rejects.toMatchObject({ code: 'GW-005', status: 422 })
  })
})

describe('of the vendor’s own', () => {
  test('the developer’s word is sent as the developer’s, and to others as the system’s', async () => {
    at.upstream.reply(answer({ content: 'Yes.' }))
    const said = [{ role: 'developer', content: 'Be brief' }, ...messages] as const
    await openai.chat.completions.create({ model: 'gpt-own', messages: [...said] })
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ messages: [{ role: 'developer' }, { role: 'user' }] })
    await openai.chat.completions.create({ model: 'test-model', messages: [...said] })
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }] })
  })

  test('counts nobody here reads come back with the usage, whole and streamed', async () => {
    const details = { accepted_prediction_tokens: 3, reasoning_tokens: 1 }
    const told = { ...usage, cost_in_usd_ticks: 9, completion_tokens_details: details }
    at.upstream.reply(answer({ content: 'Yes.' }, 'stop', {}, { usage: told }))
    const whole = await openai.chat.completions.create({ model: 'gpt-own', messages: [...messages] })
    const expected = {
      ...usage,
      cost_in_usd_ticks: 9,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { ...details, audio_tokens: 0 },
    }
    expect(whole.usage).toEqual(expected)
    at.upstream.reply(chunks([delta({ content: 'Yes.' }), delta({}, 'stop'), { choices: [], usage: told }]))
    const stream = await openai.chat.completions.create({
      ...{ model: 'gpt-own', messages: [...messages], stream: true },
      stream_options: { include_usage: true },
    })
    const used: unknown[] = []
    for await (const chunk of stream) if (chunk.usage) used.push(chunk.usage)
    expect(used).toEqual([expected])
  })
})

test('the demo says that nobody looked at an image', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } } as const
  const { choices } = await openai.chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
  })
  expect(choices[0]?.message.content).toContain('and 1 attachment nobody looked at: What is this?')
})
