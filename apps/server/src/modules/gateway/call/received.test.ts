/** A withheld answer is charged all the same. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetNow, dollarATokenPrice, eventually, makeBudget, priceModel } from '../testing/money.ts'
import { withProvider } from '../testing/one-provider.ts'
import { answer, chunks, delta } from '../testing/openai-replies.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { type Reply, raw, streamed } from '../testing/upstream.ts'

const here = withProvider('received')
const key = ['AKIA', 'IOSFODNN7EXAMPLF'].join('')
const usage = { prompt_tokens: 11, completion_tokens: 4000, total_tokens: 4011 }
const paid = { model: 'paid-model' }
let budget: { readonly id: string }

beforeAll(async () => {
  await addProvider(here.tenant.admin, 'paid', here.upstream, { models: ['paid-model'] })
  await priceModel(here.tenant.admin, 'paid-model', dollarATokenPrice)
  budget = await makeBudget(here.tenant.admin, { amount: '10000000' })
})

const lastRow = async () =>
  (await here.tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data[0] as {
    readonly id: string
    readonly status: string
    readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
    readonly cost: { readonly amount: string; readonly status: string }
  }
const spent = async () => Number((await budgetNow(here.tenant.admin, budget.id)).spent)

/** Cost of one call to its budget, and its log record. */
async function costing(call: () => Promise<unknown>) {
  const before = await spent()
  await call()
  const row = await lastRow()
  return { row, cost: (await spent()) - before }
}

test('a whole answer that is blocked costs what its provider says', async () => {
  await onlyPolicy(here.tenant, { output: { secrets: 'block' } })
  here.upstream.reply(answer({ content: `${key} ${'long text '.repeat(100)}` }, 'stop', {}, { usage }))
  const { row, cost } = await costing(() => ask(here.tenant.admin, 'Hi', paid))
  expect([row.status, row.usage?.completion_tokens, row.cost]).toMatchObject(['blocked', 4000, { status: 'priced' }])
  expect(cost).toBe(4011)
})

test('a stream that is blocked on its way costs what had come', async () => {
  await onlyPolicy(here.tenant, { output: { secrets: 'block' } })
  here.upstream.reply(chunks([delta({ content: `${key} ${'long text '.repeat(400)}` }), delta({}, 'stop')]))
  const { row, cost } = await costing(() => ask(here.tenant.admin, 'Hi', { ...paid, stream: true }))
  expect(row.cost.status).toBe('estimated')
  expect(row.usage?.completion_tokens).toBeGreaterThan(1000)
  expect(cost).toBe((row.usage?.prompt_tokens ?? 0) + (row.usage?.completion_tokens ?? 0))
})

test('a stream that was gathered and refused costs what its provider says', async () => {
  await onlyPolicy(here.tenant, { streaming: { mode: 'buffer' }, output: { secrets: 'block' } })
  here.upstream.reply(
    chunks([
      delta({ content: key }),
      delta({ content: ' long text'.repeat(100) }),
      delta({}, 'stop'),
      { choices: [], usage },
    ]),
  )
  const { cost } = await costing(() => ask(here.tenant.admin, 'Hi', { ...paid, stream: true }))
  expect(cost).toBe(4011)
})

/** The gateway's ends of its connections. */
const dialed: Socket[] = []
const dialing = (message: unknown) => void dialed.push((message as { readonly socket: Socket }).socket)
beforeAll(() => subscribe('net.client.socket', dialing))
afterAll(() => unsubscribe('net.client.socket', dialing))

/** Waits until the gateway has processed everything sent to it from this end of a connection. */
async function isRead(sent: Socket): Promise<void> {
  const reader = dialed.find(({ localPort }) => localPort === sent.remotePort)
  await expect.poll(() => reader?.bytesRead).toBe(sent.bytesWritten)
  // From there on it does not wait for anything.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Ten thousand bytes, and the stream never ends. */
const unfinished: Reply = streamed(
  Array.from({ length: 100 }, () => 'x'.repeat(100)),
  { open: true },
)

test('a gathered stream whose client leaves costs what had come', async () => {
  await onlyPolicy(here.tenant, { streaming: { mode: 'buffer' } })
  let sent: Socket | null = null
  here.upstream.reply((response, received) => {
    sent = response.socket
    return unfinished(response, received)
  })
  const address = await here.world.address()
  const leaves = new AbortController()
  const arrived = here.upstream.next()
  const left = fetch(`${address}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    signal: leaves.signal,
    headers: { authorization: `Bearer ${here.tenant.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...paid, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  }).catch(() => null)
  const { closed } = await arrived
  await expect.poll(() => sent).not.toBeNull()
  await isRead(sent as unknown as Socket)
  leaves.abort()
  await Promise.all([left, closed])
  const row = await eventually(lastRow, ({ status }) => status === 'client_closed')
  expect(row.usage?.completion_tokens).toBe(2500)
})

test('limits of tokens count answers nobody counted', async () => {
  await onlyPolicy(here.tenant, {
    limits: [{ id: 'out', per: 'tenant', unit: 'output_tokens', max: 50, window_seconds: 600 }],
  })
  const choices = [
    { index: 0, message: { role: 'assistant', content: 'long text '.repeat(30) }, finish_reason: 'stop' },
  ]
  here.upstream.reply(raw(JSON.stringify({ id: 'x', model: 'm', choices })))
  expect((await ask(here.tenant.admin, 'Hi', paid)).status).toBe(200)
  await eventually(
    async () => (await ask(here.tenant.admin, 'Hi', paid)).status,
    (status) => status === 429,
  )
  expect(here.upstream.received.length).toBeLessThan(12)
})
