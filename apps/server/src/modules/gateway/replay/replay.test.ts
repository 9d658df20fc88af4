import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

const personal = 'Write to nora.field@example.org about the invoice'

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await tenantWith('replay')
})

beforeEach(() => {
  upstream.reply(say('The invoice is paid.'))
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

async function tenantWith(slug: string, document?: object): Promise<TestTenant> {
  const made = await world.tenant(slug)
  await addProvider(made.admin, 'local', upstream, { models: ['test-*'] })
  if (document !== undefined) {
    const [baseline] = (await made.admin.get('/gateway/policies')).body.data
    const path = `/gateway/policies/${baseline.id}`
    const { latest_version } = (await made.admin.patch(path, { document })).body.data
    await made.admin.post(`${path}/publish`, { version: latest_version })
  }
  return made
}

async function call({ admin }: TestTenant, text: string, over: object = {}): Promise<string> {
  const { body } = await ask(admin, text, over)
  return body.data?.id ?? body.log_id
}

const replay = ({ admin }: TestTenant, id: string, body: object = {}, headers = {}) =>
  admin.post(`/gateway/requests/${id}/replay`, body, { headers })

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]

async function rows({ id }: TestTenant): Promise<number> {
  const [found] = await world.kernel.db.read(id, sql<{ n: number }>`select count(*)::int as n from gateway_request`)
  return found?.n ?? 0
}

describe('a replay', () => {
  test('runs the kept call again as a call of its own and shows both', async () => {
    const id = await call(tenant, personal, {
      temperature: 0.25,
      max_tokens: 99,
      tools: [{ type: 'function', function: { name: 'pay', description: 'Pays an invoice', parameters: {} } }],
    })
    const [first] = upstream.received.slice(-1)
    upstream.reply(say('The invoice is due.'))
    const answer = await replay(tenant, id)
    expect(answer.status).toBe(201)
    const { data } = answer.body
    expect(data.original).toMatchObject({ id, status: 'completed', decision: 'redacted', model: 'test-model' })
    expect(data.replay).toMatchObject({ id: data.id, status: 'completed', provider: 'local', model: 'test-model' })
    expect(data.id).not.toBe(id)
    expect(answer.headers.location).toBe(`/api/v1/gateway/requests/${data.id}`)
    expect(data.diff.text).toEqual({
      changed: true,
      changes: [
        { op: 'same', text: 'The invoice is ' },
        { op: 'removed', text: 'paid.' },
        { op: 'added', text: 'due.' },
      ],
    })
    expect(data.diff.decision).toMatchObject({ original: 'redacted' })
    expect(data.diff.latency_ms.difference).toBeCloseTo(
      data.replay.timings.total_ms - data.original.timings.total_ms,
      2,
    )
    expect((await tenant.admin.get(`/gateway/requests/${data.id}`)).body.data).toMatchObject({
      parent_request_id: id,
      status: 'completed',
    })
    expect(upstream.received.at(-1)?.body).toEqual(first?.body)
  })

  test('sends what was kept and never an original value', async () => {
    const id = await call(tenant, personal)
    await replay(tenant, id)
    expect(JSON.stringify(upstream.received.at(-1)?.body)).not.toContain('nora.field')
    const [original, again] = upstream.received.slice(-2)
    expect(again?.body.messages).toEqual(original?.body.messages)
    upstream.reply(say('Sent to ⟦EMAIL_1⟧.'))
    const answer = await replay(tenant, id)
    expect(answer.text).not.toContain('nora.field')
    expect(answer.body.data.replay.answer[0].text).toBe('Sent to ⟦EMAIL_1⟧.')
  })

  test('goes to another model when one is named', async () => {
    const id = await call(tenant, 'compare the models')
    const { data } = (await replay(tenant, id, { model: 'echo-1' })).body
    expect(data.replay).toMatchObject({ provider: 'echo', model: 'echo-1' })
    expect(data.diff.text.changed).toBe(true)
    expect(told(await replay(tenant, id, { model: 'nobody-has-this' }))).toEqual([422, 'GW-001'])
  })

  test('goes by a route when one is named, and by nothing else of its name', async () => {
    const id = await call(tenant, 'compare the routes')
    const targets = [{ provider: 'echo', model: 'echo-1' }]
    expect((await tenant.admin.post('/gateway/routes', { name: 'compared', targets })).status).toBe(201)
    const { data } = (await replay(tenant, id, { route: 'compared' })).body
    expect(data.replay).toMatchObject({ provider: 'echo', model: 'echo-1' })
    const logged = (await tenant.admin.get(`/gateway/requests/${data.id}`)).body.data
    expect(logged).toMatchObject({ route: 'compared', parent_request_id: id })
    expect(told(await replay(tenant, id, { route: 'echo-1' }))).toEqual([422, 'GW-001'])
    const both = await replay(tenant, id, { route: 'compared', model: 'echo-1' })
    expect([...told(both), both.body.errors[0].pointer]).toEqual([400, 'API-001', '/route'])
  })

  test('is compared also when it is blocked or its model fails', async () => {
    const id = await call(tenant, 'tell me about project bluebird')
    const denied = { content: { denied_terms: [{ id: 'b', terms: ['bluebird'], match: 'word', action: 'block' }] } }
    const made = (await tenant.admin.post('/gateway/policies', { name: 'no-bluebird', document: denied })).body.data
    expect(told(await replay(tenant, id, { policy_id: made.id }))).toEqual([422, 'GW-002'])
    const { data } = (await replay(tenant, id, { policy_id: 'no-bluebird', policy_version: 1 })).body
    expect(data.replay).toMatchObject({ status: 'blocked', error_code: 'GW-005', blocked_step: 'content_policy' })
    expect(data.replay.policies).toContainEqual(expect.objectContaining({ id: made.id, version: 1 }))
    expect(data.diff).toMatchObject({ decision: { original: 'allowed', replay: 'blocked', changed: true }, text: null })
    upstream.reply((response) => void response.writeHead(400, { 'content-type': 'application/json' }).end('{}'))
    expect((await replay(tenant, id)).body.data.replay).toMatchObject({ status: 'failed', error_code: 'GW-017' })
  })

  test('with dry_run looks and does nothing else', async () => {
    const id = await call(tenant, personal)
    const [calls, sent] = [await rows(tenant), upstream.received.length]
    const answer = await replay(tenant, id, { dry_run: true })
    expect(answer.status).toBe(201)
    const { data } = answer.body
    expect(data.id).toBeNull()
    expect(data.replay).toMatchObject({ id: null, status: null, answer: null, model: 'test-model' })
    expect(data.replay.steps.map(({ n }: { n: number }) => n)).toEqual([1, 2, 3, 5, 6, 7, 8, 10])
    expect(data.diff.latency_ms.replay).toBeNull()
    expect([await rows(tenant), upstream.received.length]).toEqual([calls, sent])
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ after: object }>`
        select after from audit_entry where action = 'gateway.request.replay' and target = ${`request:${id}`}`,
    )
    expect(entries.map(({ after }) => after)).toEqual([{ dry_run: true }])
  })

  test('takes a version only together with its policy', async () => {
    const id = await call(tenant, 'hello')
    const answer = await replay(tenant, id, { policy_version: 1 })
    expect(told(answer)).toEqual([400, 'API-001'])
    expect(answer.body.errors[0].pointer).toBe('/policy_id')
    const [baseline] = (await tenant.admin.get('/gateway/policies', { query: { sort: 'created_at' } })).body.data
    expect(told(await replay(tenant, id, { policy_id: baseline.id, policy_version: 99 }))).toEqual([422, 'GW-002'])
  })
})

describe('a replay is refused', () => {
  test('when the content was not kept, has expired or is not whole', async () => {
    const bare = await tenantWith('replay-bare', { retention: { level: 'metadata' } })
    expect(told(await replay(bare, await call(bare, 'hello')))).toEqual([409, 'GW-028'])
    const late = await tenantWith('replay-late')
    const expired = await call(late, 'hello')
    await world.kernel.db.tenant({ tenantId: late.id }, (tx) =>
      tx.execute(sql`update gateway_request_payload set expires_at = now() - interval '1 second'`),
    )
    expect(told(await replay(late, expired))).toEqual([409, 'GW-028'])
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const content = [{ type: 'text', text: 'what is this?' }, image]
    const pictured = await call(tenant, '', { messages: [{ role: 'user', content }] })
    expect(told(await replay(tenant, pictured))).toEqual([409, 'GW-028'])
  })

  test('to who is no administrator, and for calls of other tenants and of nobody', async () => {
    const id = await call(tenant, 'hello')
    const engineer = await tenant.as('ai_engineer')
    expect(told(await engineer.post(`/gateway/requests/${id}/replay`, {}))).toEqual([403, 'AUTH-004'])
    const other = await tenantWith('replay-other')
    expect(told(await replay(other, id))).toEqual([404, 'API-013'])
    expect(told(await replay(tenant, world.kernel.random.uuid()))).toEqual([404, 'API-013'])
  })

  test('while a kill switch is active, also when it is asked for again under its key', async () => {
    const stopped = await tenantWith('replay-stopped')
    const id = await call(stopped, 'hello')
    const key = { 'idempotency-key': 'once' }
    expect((await replay(stopped, id, {}, key)).status).toBe(201)
    const again = await replay(stopped, id, {}, key)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
    const reason = 'an exercise of the team'
    await stopped.admin.post('/gateway/kill-switches', { scope: 'model', value: 'test-model', reason })
    const sent = upstream.received.length
    for (const body of [{}, { dry_run: true }]) expect(told(await replay(stopped, id, body))).toEqual([503, 'GW-010'])
    expect(told(await replay(stopped, id, {}, key))).toEqual([503, 'GW-010'])
    expect(upstream.received).toHaveLength(sent)
  })
})
