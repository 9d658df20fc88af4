/**
 * A message that a client received and sends back unchanged, to whichever target answers next; and targets that cannot
 * be asked.
 */
import type OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answer } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { addProvider } from '../../testing/support.ts'
import { fail, openUpstream, raw, type Upstream } from '../../testing/upstream.ts'

let at: OpenAiWorld
let openai: OpenAI
let other: Upstream

beforeAll(async () => {
  at = await openOpenAiWorld()
  openai = at.with({ defaultHeaders: { 'x-gateway-cache': 'off' } })
  other = await openUpstream()
  const base_url = other.url.replace(/\/v1$/, '')
  await addProvider(at.admin, 'claude', other, { kind: 'anthropic', models: ['claude-*'], base_url })
  const targets = [
    { provider: 'local', model: 'test-model', priority: 0 },
    { provider: 'claude', model: 'claude-1', priority: 1 },
  ]
  await at.admin.post('/gateway/routes', { name: 'safe', targets, retry: { base_ms: 0 } })
})

afterAll(async () => {
  await other?.close()
  await at?.close()
})

const claudes = {
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-1', stop_reason: 'end_turn', stop_sequence: null },
  content: [{ type: 'text', text: 'From the other.' }],
  usage: { input_tokens: 3, output_tokens: 2 },
}

beforeEach(() => {
  at.upstream.reply(answer({ content: 'Hello.', refusal: null, annotations: [] }))
  other.reply(raw(JSON.stringify(claudes)))
})

const question = { role: 'user', content: 'Hi' } as const
const goOn = { role: 'user', content: 'And?' } as const
const dropped = 'x-gateway-dropped-params'

/** An assistant's message as clients received it, with members missing from its type. */
const said = (members: object) => ({ role: 'assistant', content: 'Hello.', ...members }) as const
const citation = { type: 'url_citation', url_citation: { url: 'https://example.org', title: 'x', start_index: 0 } }

describe('a message that was got', () => {
  test('goes to the next target of a route when the first is down', async () => {
    const first = await openai.chat.completions.create({ model: 'safe', messages: [question] })
    const got = first.choices[0]?.message
    expect(got).toHaveProperty('annotations', [])
    at.upstream.reply(fail(500))
    const messages = [question, { ...said({}), ...got, audio: null, function_call: null }, goOn]
    const { data, response } = await openai.chat.completions.create({ model: 'safe', messages }).withResponse()
    expect(data.choices[0]?.message.content).toBe('From the other.')
    expect(response.headers.get(dropped)).toBeNull()
  })

  test.each([
    ['annotations', [citation]],
    ['reasoning_content', 'They greet me.'],
  ])('leaves its %s out, with a trace, where they mean nothing', async (name, value) => {
    const messages = [question, said({ [name]: value }), goOn]
    const { response } = await openai.chat.completions.create({ model: 'claude/claude-1', messages }).withResponse()
    expect(response.headers.get(dropped)).toBe(`/messages/1/${name}`)
    expect(JSON.stringify(other.received.at(-1)?.body)).not.toContain(name)
  })

  test('keeps them where they may mean something', async () => {
    const messages = [question, said({ annotations: [citation] }), goOn]
    const { response } = await openai.chat.completions.create({ model: 'test-model', messages }).withResponse()
    expect(response.headers.get(dropped)).toBeNull()
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ messages: [{}, { annotations: [citation] }, {}] })
  })

  test('is refused with what would be missed: the sound it was', async () => {
    const messages = [question, { role: 'assistant', audio: { id: 'audio_1' } }, goOn] as const
    const asked = openai.chat.completions.create({ model: 'claude/claude-1', messages: [...messages] })
    await expect(asked).rejects.toMatchObject({ status: 422, message: expect.stringContaining('/messages/1/audio') })
  })
})

test('a word about a schema is left out where there is no place for it', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const format = { type: 'json_schema', json_schema: { name: 'a', description: 'An a', schema } } as const
  other.reply(raw(JSON.stringify({ ...claudes, content: [{ type: 'text', text: '{"a":"b"}' }] })))
  const { data, response } = await openai.chat.completions
    .create({ model: 'claude/claude-1', messages: [question], response_format: format })
    .withResponse()
  expect(data.choices[0]?.message.content).toBe('{"a":"b"}')
  expect(response.headers.get(dropped)).toBe('/response_format/json_schema/description')
})

test('a target that cannot take the call is named in the record, with what it does not take', async () => {
  const { response } = await openai.chat.completions
    .create({ model: 'safe', messages: [question], logit_bias: { '42': 1 } })
    .withResponse()
  const { steps } = (await at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)).body.data
  expect(steps.find(({ name }: { name: string }) => name === 'routing').left_out).toEqual([
    { provider: 'claude', model: 'claude-1', reason: 'unsupported', field: '/logit_bias' },
  ])
})
