import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { eventually } from '../testing/money.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { fail, hang, openUpstream, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let address: string

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('stream')
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream)
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

const stream = async (content: string, over: object = {}) => {
  const answer = await ask(tenant.admin, content, { stream: true, ...over })
  return { answer, frames: framesOf(answer.text) }
}

/** A call over a real socket, so that the client can disconnect. Resolves with the first bytes of the answer. */
function open(content: string, over: object = {}) {
  const call = request(`${address}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' },
  })
  const firstBytes = new Promise<void>((resolve) => {
    call.once('response', (response) => response.once('data', () => resolve()))
  })
  // These tests disconnect on purpose.
  call.on('error', () => {})
  call.end(
    JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content }], cache: { mode: 'off' }, ...over }),
  )
  return { firstBytes, hangUp: () => call.destroy() }
}

/** The newest logged call with this status, as soon as it exists. */
async function loggedAs(status: string, count = 1) {
  const logged = async () => (await tenant.admin.get('/gateway/requests', { query: { status } })).body.data
  return (await eventually(logged, (found) => found.length >= count))[0]
}

describe('a stream', () => {
  test('sends chunks, then what is known at the end, then its end', async () => {
    upstream.reply(streamed(['Hel', 'lo ', 'you.']))
    const { answer, frames } = await stream('greet me')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain('text/event-stream')
    expect(frames.at(-2)?.event).toBe('completed')
    expect(frames.at(-1)?.event).toBe('done')
    expect(textOf(frames)).toBe('Hello you.')
    expect(frames[0]?.data.data.choices[0].delta.role).toBe('assistant')
    const { data, meta } = frames.at(-2)?.data ?? {}
    expect(data.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 })
    expect(data.security.pii_detected).toBe(false)
    expect(meta.request_id).toMatch(/^req_/)
  })

  test('is logged with its time to the first content', async () => {
    upstream.reply(streamed(['one', ' two']))
    const { frames } = await stream('log me')
    const { id } = frames.at(-2)?.data.data ?? {}
    const row = (await tenant.admin.get(`/gateway/requests/${id}`)).body.data
    expect(row).toMatchObject({ status: 'completed', stream: true })
    expect(row.timings.ttft_ms).toBeGreaterThan(0)
    expect(row.payload.answer[0].text).toBe('one two')
  })

  test('restores a placeholder that is cut at every place', async () => {
    const placeholder = '⟦EMAIL_1⟧'
    for (let at = 1; at < placeholder.length; at += 1) {
      upstream.reply(streamed(['To ', placeholder.slice(0, at), placeholder.slice(at), ' it went.']))
      const { frames } = await stream('Write to anna@example.org')
      expect(textOf(frames)).toBe('To anna@example.org it went.')
    }
  })

  test('hides a card number however it is cut', async () => {
    const card = '4111 1111 1111 1111'
    for (let at = 1; at < card.length; at += 4) {
      upstream.reply(streamed(['Pay with ', card.slice(0, at), card.slice(at), ' now.']))
      const { answer, frames } = await stream('How do I pay?')
      expect(textOf(frames)).toBe('Pay with ⟦OUT_CREDIT_CARD_1⟧ now.')
      expect(answer.text).not.toContain('1111')
    }
  })

  test('ends with the problem at a secret, and nothing of it was sent', async () => {
    upstream.reply(streamed(['The key: AKIA', 'Q3EGRTPLK2X7N5MB', ' and more text.']))
    const { answer, frames } = await stream('What is the key?')
    expect(answer.text).not.toContain('AKIA')
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-006', status: 422 } })
    expect(textOf(frames)).toBe('The key: ')
  })

  test('that breaks half-way says so and is logged as incomplete', async () => {
    upstream.reply(streamed(['Half an ', 'answer '], { broken: true }))
    const { frames } = await stream('break')
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-014' } })
    expect(frames.some(({ event }) => event === 'done')).toBe(false)
    expect((await loggedAs('incomplete')).error_code).toBe('GW-014')
  })

  test('that never began is an ordinary problem', async () => {
    upstream.reply(fail(400))
    const { answer } = await stream('refuse')
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-017'])
  })

  test('asks the provider to count its tokens', async () => {
    upstream.reply(streamed(['x']))
    await stream('count')
    expect(upstream.received[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })
})

describe('a client that goes away', () => {
  test('while it waits for the answer ends the call at the provider', async () => {
    upstream.reply(hang)
    const arrived = upstream.next()
    const client = open('hang up')
    const call = await arrived
    client.hangUp()
    await call.closed
    expect(await loggedAs('client_closed')).toMatchObject({ error_code: 'GW-033' })
  })

  test('in the middle of a stream ends the call at the provider', async () => {
    // Longer than the text held back to detect the beginning of a link.
    upstream.reply(streamed(['The first words and '.repeat(8), 'some more words '], { open: true }))
    const arrived = upstream.next()
    const client = open('hang up later', { stream: true })
    const call = await arrived
    await client.firstBytes
    client.hangUp()
    await call.closed
    expect((await loggedAs('client_closed', 2)).stream).toBe(true)
  })
})
