/**
 * A client that disconnects: the provider's request is aborted at once in every phase of a call, unless another call
 * waits for its answer.
 */
import { type ClientRequest, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { makeRoute, quietAfter } from '../testing/misbehave.ts'
import { eventually } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, hang, openUpstream, type Reply, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let address: string

/** Longer than a test may take, so these timeouts never end a call at the provider. */
const timeouts = { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 300_000, total_ms: 600_000 }

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('gone')
  await onlyPolicy(tenant, { cache: { mode: 'exact' } })
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream, { timeouts })
  address = await world.address()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

afterEach(() => {
  upstream.received.splice(0)
  upstream.reply(say('Hello.'))
})

interface Client {
  /** Resolves with the first bytes of the answer. */
  readonly firstBytes: Promise<void>
  readonly hangUp: () => void
}

function open(content: string, over: object = {}, headers: Record<string, string> = {}): Client {
  const call: ClientRequest = request(`${address}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json', ...headers },
  })
  const firstBytes = new Promise<void>((resolve) => {
    call.once('response', (response) => response.once('data', () => resolve()))
  })
  // These tests disconnect on purpose.
  call.on('error', () => {})
  const body = { model: 'test-model', messages: [{ role: 'user', content }], cache: { mode: 'off' }, ...over }
  call.end(JSON.stringify(body))
  return { firstBytes, hangUp: () => call.destroy() }
}

const rows = async (status: string) =>
  (await tenant.admin.get('/gateway/requests', { query: { status, limit: '200' } })).body.data
const loggedMore = async (status: string, than: number) =>
  eventually(
    () => rows(status),
    (found: unknown[]) => found.length > than,
  )

/** Calls that wait for the answer of an equal one. */
async function joined(): Promise<number> {
  const metrics = await world.kernel.metrics.render()
  return Number(/^parapet_gateway_calls_joined (\d+)$/m.exec(metrics)?.[1])
}

/** Sockets that the server counts as open; other calls of these tests use none. */
const sockets = () =>
  new Promise<number>((resolve, reject) => {
    world.program.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })

/** A reply that waits until it is released. */
function held(reply: Reply): { readonly reply: Reply; readonly letGo: () => void } {
  let letGo: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return {
    reply: async (response, received) => {
      await released
      await reply(response, received)
    },
    letGo,
  }
}

const words = 'Words that are released at once. '.repeat(9)
const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant' } }] })}\n\n`

const phases: readonly (readonly [phase: string, reply: Reply, over: object])[] = [
  ['waiting for the head of an answer', hang, {}],
  ['in the middle of a whole answer', quietAfter('{"choices":'), {}],
  ['waiting for the first content of a stream', quietAfter(chunk, 'text/event-stream'), { stream: true }],
  ['in the middle of a stream', streamed([words, words], { open: true }), { stream: true }],
]

describe('a client that goes away', () => {
  test.each(phases)('%s ends the call at the provider', async (phase, reply, over) => {
    const before = (await rows('client_closed')).length
    upstream.reply(reply)
    const arrived = upstream.next()
    const client = open(phase, over)
    const call = await arrived
    if (phase === 'in the middle of a stream') await client.firstBytes
    client.hangUp()
    await call.closed
    expect((await loggedMore('client_closed', before))[0]).toMatchObject({ error_code: 'GW-033' })
  })

  test('in the middle of a stream ends it also where a second target might have been asked', async () => {
    const targets = ['test-one', 'test-other'].map((model) => ({ provider: 'local', model }))
    const route = await makeRoute(tenant.admin, targets, { hedge: { after_ms: 10_000 } })
    const before = (await rows('client_closed')).length
    upstream.reply(streamed([words, words], { open: true }))
    const arrived = upstream.next()
    const client = open('hedged', { model: route.name, stream: true })
    const call = await arrived
    await client.firstBytes
    client.hangUp()
    await call.closed
    await loggedMore('client_closed', before)
  })

  test('between two attempts is not followed by another', async () => {
    const retry = { base_ms: 10_000, cap_ms: 60_000, max_attempts: 3 }
    const route = await makeRoute(tenant.admin, [{ provider: 'local', model: 'test-retry' }], { retry })
    const before = (await rows('client_closed')).length
    upstream.reply(fail(503, { 'retry-after': '9' }))
    const arrived = upstream.next()
    const client = open('retry', { model: route.name })
    await (await arrived).closed
    client.hangUp()
    await loggedMore('client_closed', before)
    expect(upstream.received).toHaveLength(1)
  })

  test('while it waits for the answer of another leaves that one alone', async () => {
    const before = (await rows('client_closed')).length
    const { reply, letGo } = held(say('For both.'))
    upstream.reply(reply)
    const exact = { cache: { mode: 'exact' } }
    const arrived = upstream.next()
    const first = ask(tenant.admin, 'the same', exact)
    await arrived
    const waiting = open('the same', exact)
    const other = ask(tenant.admin, 'the same', exact)
    await expect.poll(joined).toBe(2)
    waiting.hangUp()
    await loggedMore('client_closed', before)
    await expect.poll(joined).toBe(1)
    letGo()
    expect((await first).status).toBe(200)
    expect((await other).body.data.choices[0].message.content).toBe('For both.')
    expect(upstream.received).toHaveLength(1)
  })
})

describe('where the policy lets calls finish', () => {
  const key = 'finish-this-call'
  let completed = 0

  beforeAll(async () => {
    const { data } = (await tenant.admin.get('/gateway/policies')).body
    const [{ id }] = data
    const document = { upstream: { on_client_disconnect: 'finish' } }
    const patched = expectStatus(await tenant.admin.patch(`/gateway/policies/${id}`, { document }), 200).body.data
    expectStatus(await tenant.admin.post(`/gateway/policies/${id}/publish`, { version: patched.latest_version }), 200)
    completed = (await rows('completed')).length
  })

  test('one with an idempotency key goes on and is there when the client comes back', async () => {
    const { reply, letGo } = held(say('Still here.'))
    upstream.reply(reply)
    const before = await sockets()
    const arrived = upstream.next()
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'keep' }] }
    const client = open('keep', { cache: undefined }, { 'idempotency-key': key })
    await arrived
    client.hangUp()
    await expect.poll(sockets).toBe(before)
    letGo()
    await loggedMore('completed', completed)
    const again = await eventually(
      () => tenant.admin.post('/gateway/chat/completions', body, { headers: { 'idempotency-key': key } }),
      ({ status }) => status === 200,
    )
    expect(again.body.data.choices[0].message.content).toBe('Still here.')
    expect(upstream.received).toHaveLength(1)
  })

  test('a stream others wait for goes on without its client', async () => {
    const exact = { cache: { mode: 'exact' }, stream: true }
    const pieces = [words, 'and the end of it.']
    const { reply, letGo } = held(async (response, received) => {
      const end = { choices: [{ index: 0, delta: { content: pieces[1] }, finish_reason: 'stop' }] }
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`)
      await received.closed
    })
    upstream.reply(async (response, received) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: pieces[0] } }] })}\n\n`)
      await reply(response, received)
    })
    const before = await sockets()
    const arrived = upstream.next()
    const client = open('shared stream', exact)
    await arrived
    await client.firstBytes
    const waits = ask(tenant.admin, 'shared stream', { ...exact, stream: false })
    await expect.poll(joined).toBe(1)
    client.hangUp()
    await expect.poll(sockets).toBe(before)
    letGo()
    const answer = await waits
    expect(answer.body.data).toMatchObject({ cache: 'joined' })
    expect(upstream.received).toHaveLength(1)
    const logged = (await tenant.admin.get(`/gateway/requests/${answer.body.data.id}`)).body.data
    expect(logged.timings.queue_ms).toBeGreaterThan(0)
  })

  test('one that nobody waits for is ended all the same', async () => {
    upstream.reply(hang)
    const arrived = upstream.next()
    const client = open('nobody waits')
    const call = await arrived
    client.hangUp()
    await call.closed
  })
})
