import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { hang } from '../../testing/upstream.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld({ timeouts })
})
afterAll(() => at.close())

/** Longer than a test may take, so these timeouts never end a call at the provider. */
const timeouts = { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 300_000, total_ms: 600_000 }

describe('a client that goes away', () => {
  test.each([
    { how: 'a chat answer', ask: chat(false) },
    { how: 'a chat stream', ask: chat(true) },
    { how: 'a response', ask: respond(false) },
    { how: 'a streamed response', ask: respond(true) },
    { how: 'embeddings', ask: embed },
  ])('while it waits for $how ends the call at the provider', async ({ how, ask }) => {
    at.upstream.reply(hang)
    const going = new AbortController()
    const arrived = at.upstream.next()
    const failing = ask(how, going.signal).catch((error: unknown) => error)
    const { closed } = await arrived
    going.abort()
    expect(await failing).toBeInstanceOf(OpenAI.APIUserAbortError)
    await closed
  })

  test('in the middle of a stream ends the call at the provider, and the log says so', async () => {
    at.upstream.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const content = 'Once upon a time there was a very long story. '.repeat(10)
      const chunk = { id: 'x', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    })
    const arrived = at.upstream.next()
    const { data: stream, response } = await at.openai.chat.completions
      .create({ model: 'test-model', messages: [{ role: 'user', content: 'Begin and go on' }], stream: true })
      .withResponse()
    const { closed } = await arrived
    for await (const _chunk of stream) break
    await closed
    const row = () => at.admin.get(`/gateway/requests/${response.headers.get('x-request-id')}`)
    await expect.poll(async () => (await row()).body.data.status).toBe('client_closed')
  })
})

type Ask = (content: string, signal: AbortSignal) => Promise<unknown>

function chat(stream: boolean): Ask {
  return async (content, signal) =>
    at.openai.chat.completions.create(
      { model: 'test-model', messages: [{ role: 'user', content }], stream },
      { signal },
    )
}

function respond(stream: boolean): Ask {
  return async (input, signal) => at.openai.responses.create({ model: 'test-model', input, stream }, { signal })
}

async function embed(input: string, signal: AbortSignal): Promise<unknown> {
  return at.openai.embeddings.create({ model: 'test-embed', input }, { signal })
}
