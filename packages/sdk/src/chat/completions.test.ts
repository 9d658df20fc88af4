import { afterEach, describe, expect, test } from 'vitest'
import { enveloped, type LocalServer, meta, problem, type Reply, startServer } from '../../test/local-server.ts'
import { createClient } from '../client.ts'
import { ConnectionError } from '../http/problem.ts'
import type { ChatStreamEvent } from './stream.ts'

let server: LocalServer | null = null
afterEach(() => server?.close())

async function open(reply: Reply) {
  const started = await startServer(() => reply)
  server = started
  return { ...started, client: createClient({ baseUrl: started.baseUrl, apiKey: 'k', maxRetries: 0 }) }
}

const messages = [{ role: 'user', content: 'Hello' }] as const
const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const chunk = (content: string): string =>
  frame('chunk', {
    data: { id: 'c', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] },
    meta,
    errors: null,
  })
const completed = frame('completed', { data: { usage: { total_tokens: 7 } }, meta, errors: null })
const done = frame('done', { data: {}, meta, errors: null })

async function collect(stream: AsyncIterable<ChatStreamEvent>, into: ChatStreamEvent[] = []) {
  for await (const event of stream) into.push(event)
  return into
}

test('a completion comes as the gateway made it', async () => {
  const { client, seen } = await open(enveloped({ id: 'c', object: 'chat.completion' }))
  const answer = await client.chat.completions.create({ provider: 'p', model: 'm', messages })
  expect(answer.data.id).toBe('c')
  expect(seen[0]).toMatchObject({
    url: '/api/v1/gateway/chat/completions',
    body: { provider: 'p', model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
  })
})

describe('a streamed completion', () => {
  test('gives the chunks, then the outcome, and ends with its end marker', async () => {
    const pieces = [chunk('Hel'), ': keep-alive\n\n', chunk('lo'), completed, done]
    const { client, seen } = await open({ pieces, headers: { 'x-request-id': 'req_9' }, open: true })
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true })
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'completed'])
    expect(events[1]).toMatchObject({ data: { choices: [{ delta: { content: 'lo' } }] } })
    expect(events[2]).toMatchObject({ data: { usage: { total_tokens: 7 } } })
    expect(stream.requestId).toBe('req_9')
    expect(seen[0]).toMatchObject({ body: { stream: true }, headers: { accept: 'text/event-stream' } })
  })

  test('that is stopped half-way throws why, after what was let through', async () => {
    const body = problem(422, 'GW-006').body
    const { client } = await open({ pieces: [chunk('Hel'), frame('error', body)] })
    const events: ChatStreamEvent[] = []
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true })
    await expect(collect(stream, events)).rejects.toMatchObject({ errorCode: 'GW-006', status: 422 })
    expect(events).toHaveLength(1)
  })

  test.each([
    ['without its end marker', { pieces: [chunk('Hel')] }],
    ['in the middle of a frame', { pieces: [chunk('Hel').slice(0, 30)] }],
    ['with a frame that is no envelope', { pieces: [frame('chunk', { nothing: true }), done] }],
  ])('that ends %s is an error, never a short answer', async (_, reply) => {
    const { client } = await open(reply)
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true })
    await expect(collect(stream)).rejects.toBeInstanceOf(ConnectionError)
  })

  test('that is refused before it begins throws from the call itself', async () => {
    const { client } = await open(problem(422, 'GW-003'))
    await expect(client.chat.completions.create({ model: 'm', messages, stream: true })).rejects.toMatchObject({
      errorCode: 'GW-003',
    })
  })

  test('ends on the server when the reader leaves the loop', async () => {
    const { client, gone } = await open({ pieces: [chunk('Hel')], open: true })
    for await (const _ of await client.chat.completions.create({ model: 'm', messages, stream: true })) break
    await gone(0)
  })

  test('ends on the server when it is cancelled unread', async () => {
    const { client, gone } = await open({ pieces: [chunk('Hel')], open: true })
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true })
    await stream.cancel()
    await gone(0)
  })

  test('that is aborted throws the reason', async () => {
    const { client, gone } = await open({ pieces: [chunk('Hel')], open: true })
    const stop = new AbortController()
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true }, { signal: stop.signal })
    const reading = (async () => {
      for await (const _ of stream) stop.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
    await gone(0)
  })
})
