/** A client that goes away: the provider hears of it at once in every phase of a call, unless somebody still waits. */
import { type ClientRequest, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { late, makeRoute, quietAfter } from './test/misbehave.ts'
import { eventually } from './test/money.ts'
import { addProvider, ask } from './test/support.ts'
import { fail, hang, openUpstream, type Reply, say, streamed, type Upstream } from './test/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let address: string

/** Far above what is promised, so that a busy machine does not fail the test. */
const soonMs = 2000

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('gone')
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream)
  address = await world.program.app.listen({ host: '127.0.0.1', port: 0 })
}, 60_000)

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
  /** Resolves when the whole request is on its way. */
  readonly sent: Promise<void>
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
  const sent = new Promise<void>((resolve) => {
    call.once('finish', () => resolve())
  })
  // Hanging up is what these tests do.
  call.on('error', () => {})
  const body = { model: 'test-model', messages: [{ role: 'user', content }], cache: { mode: 'off' }, ...over }
  call.end(JSON.stringify(body))
  return { firstBytes, sent, hangUp: () => call.destroy() }
}

const rows = async (status: string) =>
  (await tenant.admin.get('/gateway/requests', { query: { status, limit: '200' } })).body.data
const loggedMore = async (status: string, than: number) =>
  eventually(
    () => rows(status),
    (found: unknown[]) => found.length > than,
  )

/** Long enough for a call to get as far as it can. */
async function someTurns() {
  for (let turn = 0; turn < 5; turn += 1) expectStatus(await tenant.admin.get('/gateway/providers'), 200)
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
    const startedMs = performance.now()
    client.hangUp()
    await call.closed
    expect(performance.now() - startedMs).toBeLessThan(soonMs)
    expect((await loggedMore('client_closed', before))[0]).toMatchObject({ error_code: 'GW-033' })
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
    upstream.reply(late(1500, say('For both.')))
    const exact = { cache: { mode: 'exact' } }
    const arrived = upstream.next()
    const first = ask(tenant.admin, 'the same', exact)
    await arrived
    const waiting = open('the same', exact)
    const joined = ask(tenant.admin, 'the same', exact)
    await waiting.sent
    await someTurns()
    waiting.hangUp()
    expect((await first).status).toBe(200)
    expect((await joined).body.data.choices[0].message.content).toBe('For both.')
    await loggedMore('client_closed', before)
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
    upstream.reply(late(500, say('Still here.')))
    const arrived = upstream.next()
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'keep' }] }
    const client = open('keep', { cache: undefined }, { 'idempotency-key': key })
    await arrived
    client.hangUp()
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
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    upstream.reply(async (response, received) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: pieces[0] } }] })}\n\n`)
      await held
      const end = { choices: [{ index: 0, delta: { content: pieces[1] }, finish_reason: 'stop' }] }
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`)
      await received.closed
    })
    const arrived = upstream.next()
    const client = open('shared stream', exact)
    await arrived
    await client.firstBytes
    const waits = ask(tenant.admin, 'shared stream', { ...exact, stream: false })
    await someTurns()
    client.hangUp()
    await someTurns()
    release()
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
