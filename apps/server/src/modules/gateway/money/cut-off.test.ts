/** Cost of complete answers whose client disconnected while the provider wrote. */
import { request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { dollarATokenPrice, eventually, priceModel } from '../testing/money.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider } from '../testing/support.ts'
import { hang, type Reply } from '../testing/upstream.ts'

const at = withProvider('cut-off')
const maxTokens = 900

beforeAll(async () => {
  await addProvider(at.tenant.admin, 'priced', at.upstream, { models: ['priced-model'] })
  await priceModel(at.tenant.admin, 'priced-model', dollarATokenPrice)
})

const closed = async (): Promise<{ id: string }[]> =>
  (await at.tenant.admin.get('/gateway/requests', { query: { status: 'client_closed' } })).body.data

/** The headers and the beginning of an answer; resolves when they have been sent. */
function beginning(piece: string, headers: Record<string, string> = {}) {
  let sent: () => void = () => {}
  const isSent = new Promise<void>((resolve) => {
    sent = resolve
  })
  const reply: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).write(piece, () => sent())
  }
  return { reply, isSent }
}

const announcing = (bytes: number) => beginning('{"choices":', { 'content-length': String(bytes) })

/** Tokens that an aborted call was charged, at a dollar each. */
async function charged({ reply, isSent }: { reply: Reply; isSent: Promise<void> }): Promise<number> {
  const before = (await closed()).length
  at.upstream.reply(reply)
  const arrived = at.upstream.next()
  const call = request(`${await at.world.address()}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${at.tenant.admin.token}`, 'content-type': 'application/json' },
  })
  // The test disconnects on purpose.
  call.on('error', () => {})
  const messages = [{ role: 'user', content: 'The same question each time.' }]
  call.end(JSON.stringify({ model: 'priced-model', max_tokens: maxTokens, messages, cache: { mode: 'off' } }))
  const { closed: ended } = await arrived
  await isSent
  // Data written on this machine is read within the next turns of the event loop.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  call.destroy()
  await ended
  const [row] = await eventually(closed, (found) => found.length > before)
  const { cost } = expectStatus(await at.tenant.admin.get(`/gateway/requests/${row?.id}`), 200).body.data
  expect(cost).toMatchObject({ status: 'estimated', currency: 'USD' })
  return Number(cost.amount)
}

describe('a whole answer that its client does not wait for', () => {
  test('is charged with its announced length, and never with more than the call allowed', async () => {
    const short = await charged(announcing(400))
    expect((await charged(announcing(800))) - short).toBe(100)
    expect((await charged(announcing(80_000))) - short).toBe(maxTokens - 100)
  })

  test('is charged with the bytes that came where no length was announced', async () => {
    const question = (await charged(announcing(400))) - 100
    expect((await charged(beginning(' '.repeat(3000)))) - question).toBeGreaterThanOrEqual(750)
  })

  test('is charged for the time the provider had where nothing came', async () => {
    const question = (await charged(announcing(400))) - 100
    const more = (await charged({ reply: hang, isSent: Promise.resolve() })) - question
    expect(more).toBeGreaterThan(0)
    expect(more).toBeLessThanOrEqual(maxTokens)
  })
})
