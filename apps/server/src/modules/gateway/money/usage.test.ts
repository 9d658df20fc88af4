import { expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { ask } from '../testing/support.ts'
import type { Reply } from '../testing/upstream.ts'

const here = withProvider('usage')

/** Answers that do not report their usage. */
const silent =
  (body: object): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

const said = (content: string, more: object = {}) =>
  silent({ choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }] })

test('where a provider does not count, tokens are counted here, by bytes and with all that was sent', async () => {
  here.upstream.reply(said('漢字'.repeat(20)))
  const parameters = { type: 'object', properties: { q: { type: 'string', description: 'x'.repeat(400) } } }
  const tools = [{ type: 'function', function: { name: 'find', parameters } }]
  const usageOf = async (over: object) =>
    expectStatus(await ask(here.tenant.admin, '漢字'.repeat(100), over), 200).body.data.usage
  const plain = await usageOf({})
  expect(plain).toMatchObject({ prompt_tokens: 158, completion_tokens: 30, usage_source: 'estimated' })
  expect((await usageOf({ tools })).prompt_tokens).toBeGreaterThan(plain.prompt_tokens + 100)
})

test('so of embeddings', async () => {
  here.upstream.reply(silent({ data: [{ index: 0, embedding: [0.5] }] }))
  const body = { model: 'test-embed', input: 'a text of some length '.repeat(20), encoding_format: 'float' }
  const answer = expectStatus(await here.tenant.admin.post('/gateway/openai/v1/embeddings', body), 200)
  expect(answer.body.usage.prompt_tokens).toBe(110)
})
