import { createServer } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider } from '../testing/support.ts'
import { fail, type Reply, raw, say } from '../testing/upstream.ts'

const at = withProvider('probe')
let made = 0

const models = (...ids: readonly string[]) => raw(JSON.stringify({ data: ids.map((id) => ({ id })) }))
const vector = raw('{"data":[{"index":0,"embedding":[0.5]}],"usage":{"prompt_tokens":1}}')

/** Lists these models and answers calls so. */
const listing = (ids: readonly string[], call: Reply): void =>
  at.upstream.reply((response, received) =>
    (received.path.endsWith('/models') ? models(...ids) : call)(response, received),
  )

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string | null
}

async function tested(over: object, input: object = {}): Promise<{ ok: boolean; checks: readonly Check[] }> {
  made += 1
  const { id } = await addProvider(at.tenant.admin, `probe-${made}`, at.upstream, { models: [], ...over })
  at.upstream.received.splice(0)
  return expectStatus(await at.tenant.admin.post(`/gateway/providers/${id}/test`, input), 200).body.data
}

const called = (): readonly string[] =>
  at.upstream.received.flatMap(({ path, body }) => (path.endsWith('/models') ? [] : [body.model]))

beforeEach(() => listing(['test-a'], say('OK')))

test('the name, the connection, the list and a call with each key are checked in this order', async () => {
  const secrets = ['one', 'two'].map((id) => ({ id, value: `sk-test-0123456789abcdef-${id}` }))
  const { ok, checks } = await tested({ secrets })
  expect(ok).toBe(true)
  expect(checks.map(({ name }) => name)).toEqual([
    'resolve',
    'dial',
    'models:one',
    'call:one',
    'models:two',
    'call:two',
  ])
  expect(at.upstream.received.map(({ authorization }) => authorization?.slice(-3))).toEqual([
    'one',
    'one',
    'two',
    'two',
  ])
})

test('a key that may list models and use none does not pass', async () => {
  listing(['test-a'], fail(403))
  const { ok, checks } = await tested({})
  expect([ok, ...checks.map((check) => check.ok)]).toEqual([false, true, true, true, false])
  const body = { name: 'listing', kind: 'openai_compatible', base_url: at.upstream.url, test: true }
  const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
  const refused = await at.tenant.admin.post('/gateway/providers', { ...body, secrets })
  expect([refused.status, refused.body.error_code]).toEqual([502, 'GW-015'])
})

test('the model is the one given, else one the tenant named, else one that was listed', async () => {
  await tested({ models: ['mine-*', 'mine-1'] }, { model: 'mine-2' })
  expect(called()).toEqual(['mine-2'])
  await tested({ models: ['mine-*', 'mine-1'] })
  expect(called()).toEqual(['mine-1'])
  listing(['other', 'mine-3'], say('OK'))
  await tested({ models: ['mine-*'] })
  expect(called()).toEqual(['mine-3'])
})

test('of models that were only listed the next is tried where one takes no such call, and three at most', async () => {
  listing(['whisper-1', 'text-embed-1', 'a', 'b', 'c', 'd'], fail(404))
  const { checks } = await tested({})
  expect(called()).toEqual(['a', 'b', 'c'])
  expect(checks.at(-1)).toMatchObject({ name: 'call:main', ok: false, detail: expect.stringContaining('bad_request') })
})

test('a provider that only embeds is asked to embed', async () => {
  listing(['text-embed-1'], vector)
  expect((await tested({})).ok).toBe(true)
  expect(at.upstream.received.at(-1)).toMatchObject({ path: '/v1/embeddings', body: { model: 'text-embed-1' } })
})

test('where no model is known the call is skipped, in words', async () => {
  listing([], say('OK'))
  const { ok, checks } = await tested({})
  expect(ok).toBe(true)
  expect(checks.at(-1)).toMatchObject({
    name: 'call:main',
    ok: true,
    detail: expect.stringContaining('skipped: no model'),
  })
  expect(called()).toEqual([])
})

test('an address at which nobody listens is told before a key is shown', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => server.close(resolve))
  const { ok, checks } = await tested({ base_url: `http://127.0.0.1:${port}/v1` })
  expect(ok).toBe(false)
  expect(checks.map(({ name, ok: passed }) => [name, passed])).toEqual([
    ['resolve', true],
    ['dial', false],
  ])
})
