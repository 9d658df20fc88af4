/** Requests of vendors' clients other than calls: lists of models, token counts and stored responses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { type AnthropicWorld, hello, openAnthropicWorld } from '../testing/anthropic-world.ts'
import { addProvider } from '../testing/support.ts'
import { openUpstream, raw, type Upstream } from '../testing/upstream.ts'

let open: AnthropicWorld
let listing: Upstream

beforeAll(async () => {
  open = await openAnthropicWorld('vendor-lists')
  listing = await openUpstream()
})
afterAll(async () => {
  await open?.close()
  await listing?.close()
})

describe('models', () => {
  test('of a provider that was never tested are listed, and kept for later', async () => {
    listing.reply(raw(JSON.stringify({ data: [{ id: 'listed-1' }, { id: 'listed/2' }] })))
    await addProvider(open.tenant.admin, 'fresh', listing, { models: ['*'] })
    const ids = async () =>
      (await open.tenant.admin.get('/gateway/openai/v1/models')).body.data.map((m: { id: string }) => m.id)
    expect(await ids()).toEqual(expect.arrayContaining(['listed-1', 'listed/2']))
    expect(await ids()).toEqual(expect.arrayContaining(['listed-1', 'listed/2']))
    expect(listing.received.filter(({ path }) => path === '/v1/models')).toHaveLength(1)
  })

  test('are read one by one, also where a name has a slash', async () => {
    const one = await open.tenant.admin.get('/gateway/openai/v1/models/listed%2F2')
    expect([one.status, one.body]).toMatchObject([200, { id: 'listed/2', object: 'model' }])
    const none = await open.tenant.admin.get('/gateway/openai/v1/models/nowhere')
    expect([none.status, none.body.error.code]).toEqual([404, 'API-013'])
  })

  test("are paged for Anthropic's client, which reads one as well", async () => {
    const ids: string[] = []
    for await (const { id } of open.client.models.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(expect.arrayContaining(['echo-1', 'listed-1', 'listed/2']))
    expect(new Set(ids).size).toBe(ids.length)
    expect(await open.client.models.retrieve('listed-1')).toMatchObject({ type: 'model', id: 'listed-1' })
  })
})

test('tokens are counted without asking a provider', async () => {
  const { max_tokens: _, ...asked } = hello
  const few = await open.client.messages.countTokens(asked)
  const messages = [{ role: 'user' as const, content: 'How many tokens are these? '.repeat(50) }]
  const many = await open.client.messages.countTokens({ ...asked, messages })
  expect(few.input_tokens).toBeGreaterThan(0)
  expect(many.input_tokens).toBeGreaterThan(few.input_tokens + 200)
  expect(open.vendor.received.filter(({ body }) => body !== null)).toEqual([])
})

test('a response that was kept is read again, and another is not found', async () => {
  const asked = { model: 'echo-1', input: 'Hello' }
  const given = expectStatus(await open.tenant.admin.post('/gateway/openai/v1/responses', asked), 200).body
  await expect
    .poll(async () => (await open.tenant.admin.get(`/gateway/openai/v1/responses/${given.id}`)).status)
    .toBe(200)
  const { body } = await open.tenant.admin.get(`/gateway/openai/v1/responses/${given.id}`)
  expect(body).toMatchObject({ id: given.id, object: 'response', status: 'completed', model: 'echo-1' })
  expect(body.output[0].content[0].text).toBe(given.output[0].content[0].text)
  expect((await open.tenant.admin.get('/gateway/openai/v1/responses/resp_x')).status).toBe(404)
})

describe('a conversation that is too long for a model', () => {
  const message = "This model's maximum context length is 8192 tokens."
  const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
  const refusing: Parameters<Upstream['reply']>[0] = (response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error }))
  }

  test('is told by the code that clients of OpenAI act on', async () => {
    open.other.reply(refusing)
    const asked = { model: 'test-model', messages: [{ role: 'user', content: 'long' }] }
    const { status, body } = await open.tenant.admin.post('/gateway/openai/v1/chat/completions', asked)
    expect([status, body.error.code, body.error.message]).toEqual([422, 'context_length_exceeded', message])
  })

  test('is told in the words that clients of Anthropic act on', async () => {
    open.other.reply(refusing)
    const asked = open.client.messages.create({ ...hello, model: 'test-model' })
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('prompt is too long') })
  })
})
