import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body } from '../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../testing/openai-world.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

describe('embeddings of the built-in provider', () => {
  test('are unit vectors, the same in both encodings, and near for texts that share words', async () => {
    const input = ['How do I reset my password?', 'How can I reset the password?', 'Bananas are yellow fruit.']
    const [plain, coded] = await Promise.all([
      at.openai.embeddings.create({ model: 'echo-embed-1', input, encoding_format: 'float' }),
      // The client requests base64 by default and decodes it.
      at.openai.embeddings.create({ model: 'echo-embed-1', input }),
    ])
    expect(plain.data.map(({ index, object }) => [index, object])).toEqual(
      [0, 1, 2].map((index) => [index, 'embedding']),
    )
    const [a = [], b = [], c = []] = plain.data.map(({ embedding }) => embedding)
    expect(a).toHaveLength(256)
    expect(cosine(a, a)).toBeCloseTo(1, 5)
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.3)
    expect(coded.data.map(({ embedding }) => [...embedding])).toEqual([a, b, c])
    expect(plain.usage.prompt_tokens).toBeGreaterThan(0)
  })

  test('have as many dimensions as were asked for', async () => {
    const { data } = await at.openai.embeddings.create({ model: 'echo-embed-1', input: 'one text', dimensions: 64 })
    expect(data[0]?.embedding).toHaveLength(64)
  })

  test('are in the log, offline and without an answer', async () => {
    const { response } = await at.openai.embeddings.create({ model: 'echo-embed-1', input: 'logged' }).withResponse()
    expect(response.headers.get('x-gateway-offline')).toBe('true')
    const { body: logged } = await at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)
    expect(logged.data).toMatchObject({
      operation: 'embeddings',
      dialect: 'openai',
      status: 'completed',
      offline: true,
    })
  })

  test('are not what its other models make, and it makes nothing else', async () => {
    const wrong = at.openai.embeddings.create({ model: 'echo-1', input: 'x' })
    await expect(wrong).rejects.toMatchObject({ status: 422, code: 'GW-017' })
    const chat = at.openai.chat.completions.create({
      model: 'echo-embed-1',
      messages: [{ role: 'user', content: 'x' }],
    })
    await expect(chat).rejects.toMatchObject({ status: 422, code: 'GW-017' })
    const tokens = at.openai.embeddings.create({ model: 'echo-embed-1', input: [1, 2, 3] })
    await expect(tokens).rejects.toMatchObject({ status: 422, code: 'GW-017' })
  })
})

describe('embeddings of a provider that speaks the form', () => {
  const list = (embeddings: readonly unknown[]) =>
    body({
      object: 'list',
      model: 'served-embed',
      data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })

  test('come in the encoding that was asked for, whatever the provider sends', async () => {
    at.upstream.reply(list([[0.5, -1]]))
    const coded = await at.openai.embeddings.create({ model: 'test-embed', input: 'a', user: 'u-1' })
    expect([...(coded.data[0]?.embedding ?? [])]).toEqual([0.5, -1])
    expect(coded).toMatchObject({ model: 'served-embed', usage: { prompt_tokens: 5, total_tokens: 5 } })
    expect(at.upstream.received.at(-1)).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'test-embed', input: ['a'], encoding_format: 'base64', user: 'u-1' },
    })
    at.upstream.reply(list(['AAAAPwAAgL8=']))
    const plain = await at.openai.embeddings.create({ model: 'test-embed', input: 'b', encoding_format: 'float' })
    expect(plain.data[0]?.embedding).toEqual([0.5, -1])
  })

  test('of lists of tokens and with members of the vendor’s own pass', async () => {
    at.upstream.reply(list([[1], [2]]))
    const own = { input_type: 'query' }
    await at.openai.embeddings.create({ model: 'test-embed', input: [[1, 2], [3]], encoding_format: 'float', ...own })
    expect(at.upstream.received.at(-1)?.body).toMatchObject({ input: [[1, 2], [3]], input_type: 'query' })
  })

  test('keep their metadata here, where a policy may require it', async () => {
    at.upstream.reply(list([[1]]))
    const metadata = { purpose: 'search' }
    const own = { metadata } as object
    const created = at.openai.embeddings.create({ model: 'test-embed', input: 'a', ...own })
    const { response } = await created.withResponse()
    expect(at.upstream.received.at(-1)?.body).not.toHaveProperty('metadata')
    const body = { name: 'purposeful', document: { content: { required_metadata: ['purpose'] } } }
    const { id } = (await at.admin.post('/gateway/policies', body)).body.data
    await at.admin.post(`/gateway/policies/${id}/publish`, { version: 1 })
    const strict = at.with({ defaultHeaders: { 'x-gateway-policy': 'purposeful' } })
    await strict.embeddings.create({ model: 'test-embed', input: 'b', ...own })
    const without = strict.embeddings.create({ model: 'test-embed', input: 'c' })
    await expect(without).rejects.toMatchObject({ status: 422, code: 'GW-005' })
    expect(response.headers.get('x-gateway-dropped-params')).toBeNull()
  })

  test('never see what the policy hides', async () => {
    at.upstream.reply(list([[1]]))
    await at.openai.embeddings.create({ model: 'test-embed', input: 'Write to jane.doe@example.org' })
    expect(JSON.stringify(at.upstream.received.at(-1)?.body)).not.toContain('jane.doe')
  })
})

test('the list of models has what the caller may use', async () => {
  const ids: string[] = []
  for await (const model of at.openai.models.list()) {
    expect(model).toEqual({ id: model.id, object: 'model', created: expect.any(Number), owned_by: expect.any(String) })
    ids.push(model.id)
  }
  expect(ids).toEqual(['echo-1', 'echo-embed-1', 'echo-fault-1', 'echo-script-1', 'test-model'])
})
