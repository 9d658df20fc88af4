/** Providers whose address leads back to the gateway. */
import { once } from 'node:events'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider, ask } from '../testing/support.ts'
import { type fail, raw, say } from '../testing/upstream.ts'

const at = withProvider('loops')

/** A second address of this server, like a load balancer: it forwards all requests. */
interface Relay {
  readonly url: string
  readonly hops: (string | undefined)[]
  close(): void
}

async function openRelay(to: string): Promise<Relay> {
  const hops: (string | undefined)[] = []
  const server: Server = createServer((incoming, answer) => {
    hops.push(incoming.headers['parapet-hops']?.toString())
    const { method, headers, url = '' } = incoming
    const sent = forward(new URL(url, to), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, hops, close: () => void server.close() }
}

const openAiPath = '/api/v1/gateway/openai/v1'
let key = ''
let relay: Relay
beforeAll(async () => {
  const { tenant, world } = at
  relay = await openRelay(await world.address())
  const made = await tenant.admin.post('/iam/api-keys', { name: 'nested', scopes: ['gateway:write'] })
  key = expectStatus(made, 201).body.data.secret
})
afterAll(() => relay.close())

describe('C55 a provider that leads back here', () => {
  test('is not registered', async () => {
    const base_url = `${await at.world.address()}${openAiPath}`
    const input = { name: 'self', kind: 'openai_compatible', base_url }
    const refused = expectStatus(await at.tenant.admin.post('/gateway/providers', input), 422)
    expect(refused.body).toMatchObject({
      error_code: 'GW-023',
      detail: expect.stringContaining('leads back to this installation'),
      errors: [{ detail: 'Refused: own_address.', pointer: '/base_url' }],
    })
  })

  test('is not called where it was registered before', async () => {
    const { tenant, world, upstream } = at
    const made = await addProvider(tenant.admin, 'before', upstream, { models: ['before-*'], secrets: [] })
    const base_url = `${await world.address()}${openAiPath}`
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update gateway_provider set base_url = ${base_url} where id = ${made.id}`),
    )
    const { body } = expectStatus(await ask(tenant.admin, 'hello', { model: 'before-1' }), 502)
    const { attempts } = expectStatus(await tenant.admin.get(`/gateway/requests/${body.log_id}`), 200).body.data
    expect(attempts).toMatchObject([{ ok: false, reason: 'refused_address: refused: own_address' }])
  })

  test('by a name unknown here begets no more than three calls, and the last is refused by name', async () => {
    const over = { models: ['nested-*'], secrets: [{ id: 'main', value: key }] }
    await addProvider(at.tenant.admin, 'nested', { ...at.upstream, url: `${relay.url}${openAiPath}` }, over)
    const answer = await ask(at.tenant.admin, 'hello', { model: 'nested-1' })
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-017'])
    expect(answer.body.detail).toContain('came through more than 3 gateways')
    expect(relay.hops).toEqual(['1', '2', '3', '4'])
  })
})

test.each(['4', '999', '1, 1', 'x'])('C55 a call that says it came through %s gateways is refused', async (hops) => {
  const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] }
  const answer = await at.tenant.admin.post('/gateway/chat/completions', body, { headers: { 'parapet-hops': hops } })
  expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-034'])
})

test('a gateway behind three others answers and counts on', async () => {
  const next = at.upstream.next()
  at.upstream.reply(say('Hello.'))
  const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }], cache: { mode: 'off' } }
  expectStatus(await at.tenant.admin.post('/gateway/chat/completions', body, { headers: { 'parapet-hops': '3' } }), 200)
  expect((await next).hops).toBe('4')
})

describe('C55 an address that would choose the path', () => {
  test.each([
    ['https://provider.example/admin/delete?x=', 'query'],
    ['https://provider.example/v1?', 'query'],
    ['https://provider.example/v1#x', 'fragment'],
    ['https://user:pw@provider.example/v1', 'user_info'],
  ])('is not registered: %s', async (base_url, rule) => {
    const input = { name: 'path', kind: 'openai_compatible', base_url }
    const { body } = expectStatus(await at.tenant.admin.post('/gateway/providers', input), 422)
    expect(body).toMatchObject({
      error_code: 'GW-023',
      errors: [{ detail: `Refused: ${rule}.`, pointer: '/base_url' }],
    })
  })

  test('is not called where it was registered before', async () => {
    const { tenant, world, upstream } = at
    const made = await addProvider(tenant.admin, 'query', upstream, { models: ['query-*'], secrets: [] })
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update gateway_provider set base_url = ${`${upstream.url}/admin?x=`} where id = ${made.id}`),
    )
    const before = upstream.received.length
    expectStatus(await ask(tenant.admin, 'hello', { model: 'query-1' }), 502)
    expect(upstream.received.length).toBe(before)
  })
})

describe('C55 of a service in a private network that is no provider', () => {
  const secret = 'uid=0 token of the inner service'

  test.each([
    ['a text', raw(secret, 'text/plain')],
    [
      'an error that is a text',
      (response: Parameters<ReturnType<typeof fail>>[0]) => {
        response.writeHead(400, { 'content-type': 'text/plain' })
        response.end(secret)
      },
    ],
    [
      'an error in another form',
      (response: Parameters<ReturnType<typeof fail>>[0]) => {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ kind: 'Status', message: secret }))
      },
    ],
    ['another form', raw(JSON.stringify({ detail: secret }))],
    ['a stream of something else', raw(`data: ${JSON.stringify({ detail: secret })}\n\n`, 'text/event-stream')],
  ])('neither the caller nor the log gets an excerpt of %s', async (_, reply) => {
    for (const stream of [false, true]) {
      at.upstream.reply(reply)
      const answer = await ask(at.tenant.admin, 'hello', { stream })
      expect(answer.text).not.toContain('inner service')
      const [{ id }] = (await at.tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
      const logged = expectStatus(await at.tenant.admin.get(`/gateway/requests/${id}`), 200)
      expect(logged.text).not.toContain('inner service')
    }
  })
})
