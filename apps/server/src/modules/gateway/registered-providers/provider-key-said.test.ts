/**
 * A provider that echoes its key, and people who paste one: through the routes, with keys that have no vendor's form.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { createLogger } from '../../../kernel/observe/log.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, type Reply, sayBack, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('said-back')
  upstream = await openUpstream()
  await addProvider(tenant.admin, 'local', upstream, { secrets: [{ id: 'main', value: key }] })
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const key = 'unshaped77-Qv7'
const said = (authorization: string | undefined): string => `I was sent ${authorization}, word for word.`

test('C51 an answer that says the key back says it to nobody, whole or streamed', async () => {
  upstream.reply(sayBack(({ authorization }) => said(authorization)))
  const whole = await ask(tenant.admin, 'What were you sent?')
  expect(whole.body.data.choices[0].message.content).toBe('I was sent Bearer [secret], word for word.')
  const echo: Reply = (response, received) => streamed([said(received.authorization)])(response, received)
  upstream.reply(echo)
  const { text } = await ask(tenant.admin, 'What were you sent?', { stream: true })
  expect(text).toContain('[secret]')
  expect(text).not.toContain(key)
})

test('C51 a key that somebody pastes is not stored with the call, nor found by a search for it', async () => {
  upstream.reply(sayBack(() => 'I see.'))
  expect((await ask(tenant.admin, `my key is ${key}, is it a good one?`)).status).toBe(200)
  expect(upstream.received.at(-1)?.body.messages[0].content).toContain(key)
  const [row] = (await tenant.admin.get('/gateway/requests')).body.data
  const { payload } = (await tenant.admin.get(`/gateway/requests/${row.id}`)).body.data
  expect(payload.messages[0].texts[0]).toBe('my key is [secret], is it a good one?')
  const found = async (q: string) => (await tenant.admin.get('/gateway/requests', { query: { q } })).body.data
  expect(await found('good')).toHaveLength(1)
  expect(await found('unshaped77')).toHaveLength(0)
})

test('C62 a key that was given is known to the log from then on', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  createLogger({ level: 'info', now: () => 0, secrets: world.kernel.liveSecrets, destination }).info(`it was ${key}`)
  expect(lines[0]).toMatch(/it was \[secret main of provider [0-9a-f-]{36} of tenant [0-9a-f-]{36}\]/)
})
