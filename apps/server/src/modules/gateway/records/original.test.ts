import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { openOriginal } from '../records/payload.ts'
import { onlyPolicy, published } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

const email = 'nora.reed@example.org'
const text = `write to ${email} about the curlew`

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  upstream.reply(say('I wrote to ⟦EMAIL_1⟧.'))
  tenant = await tenantWith('originals', { retention: { level: 'full' } })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

async function tenantWith(slug: string, document: object): Promise<TestTenant> {
  const made = await world.tenant(slug)
  await addProvider(made.admin, 'local', upstream)
  await onlyPolicy(made, document)
  return made
}

async function call(client: TestClient, over: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const body = { model: 'test-model', messages: [{ role: 'user', content: text }], cache: { mode: 'off' }, ...over }
  const answer = await client.post('/gateway/chat/completions', body, { headers })
  return answer.body.data?.id ?? answer.body.log_id
}

const original = (client: TestClient, id: string) =>
  client.get(`/gateway/requests/${id}`, { query: { original: 'true' } })

const told = (answer: TestAnswer) => [answer.status, answer.body.error_code]

const originalsOf = ({ id }: TestTenant) =>
  world.kernel.db.read(
    id,
    sql<{ id: string; original: Uint8Array | null }>`select id, original from gateway_request_payload order by id`,
  )

describe('the original', () => {
  test('is what the caller sent and got, and shown beside what is kept of it redacted', async () => {
    const id = await call(tenant.admin)
    const answer = await original(tenant.admin, id)
    expect(answer.headers['cache-control']).toContain('no-store')
    const { data } = answer.body
    expect(data.retention).toBe('full')
    expect(data.original.messages).toEqual([{ role: 'user', texts: [text], tool_calls: [] }])
    expect(data.original.answer).toEqual([{ index: 0, text: `I wrote to ${email}.`, tool_calls: [] }])
    expect(data.payload.messages[0].texts).toEqual(['write to ⟦EMAIL_1⟧ about the curlew'])
    const plain = await tenant.admin.get(`/gateway/requests/${id}`)
    expect(plain.text).not.toContain(email)
    expect(plain.body.data).not.toHaveProperty('original')
  })

  test('is in the audit log when it is shown, without its text', async () => {
    const id = await call(tenant.admin)
    const read = () =>
      world.kernel.db.read(
        tenant.id,
        sql<{ after: unknown; user_id: string | null }>`
          select after, user_id from audit_entry
          where action = 'gateway.request.read_original' and target = ${`request:${id}`}`,
      )
    await tenant.admin.get(`/gateway/requests/${id}`)
    expect(await read()).toEqual([])
    await original(tenant.admin, id)
    expect(await read()).toEqual([{ after: null, user_id: expect.any(String) }])
  })

  test('C16 is shown to administrators with a fresh proof of identity only', async () => {
    const engineer = await tenant.as('ai_engineer')
    const id = await call(engineer)
    for (const role of ['ai_engineer', 'auditor'] as const)
      expect(told(await original(await tenant.as(role), id))).toEqual([403, 'AUTH-004'])
    const key = (await tenant.admin.post('/iam/api-keys', { name: 'Originals', scopes: ['gateway:admin'] })).body.data
    expect(told(await original(tenant.admin.with(key.secret), id))).toEqual([401, 'AUTH-009'])
    const other = await tenantWith('originals-other', { retention: { level: 'full' } })
    expect(told(await original(other.admin, id))).toEqual([404, 'API-013'])
  })

  test('is found by no search', async () => {
    await call(tenant.admin)
    const found = await tenant.admin.get('/gateway/requests', { query: { q: email } })
    expect(found.body.data).toEqual([])
    expect((await tenant.admin.get('/gateway/requests', { query: { q: 'curlew' } })).body.data.length).toBeGreaterThan(
      0,
    )
  })

  test('C63 is stored encrypted for its row and no other', async () => {
    const made = await tenantWith('originals-bytes', { retention: { level: 'full' } })
    await call(made.admin)
    await call(made.admin)
    const [first, second] = await originalsOf(made)
    if (!first?.original || !second?.original) throw new Error('nothing is kept')
    expect(Buffer.from(first.original).includes('nora')).toBe(false)
    const open = (id: string, sealed: Uint8Array) => openOriginal(world.kernel.tenantKeys, made.id, { id, sealed })
    expect((await open(first.id, first.original)).messages[0]?.texts).toEqual([text])
    await expect(open(second.id, first.original)).rejects.toThrow()
  })
})

describe('callers', () => {
  test.each([
    ['redacted', 'redacted'],
    ['metadata', 'metadata'],
  ])('who ask for %s have no original kept, in body or header', async (asked, kept) => {
    const inBody = await call(tenant.admin, { retention: asked })
    const inHeader = await call(tenant.admin, {}, { 'x-gateway-retention': asked })
    for (const id of [inBody, inHeader]) {
      expect((await tenant.admin.get(`/gateway/requests/${id}`)).body.data.retention).toBe(kept)
      expect(told(await original(tenant.admin, id))).toEqual([409, 'GW-028'])
    }
  })

  test('cannot ask for more than the policy keeps', async () => {
    const made = await tenantWith('originals-none', {})
    const messages = [{ role: 'user', content: text }]
    const full = { model: 'test-model', messages, retention: 'full' }
    expect((await made.admin.post('/gateway/chat/completions', full)).status).toBe(400)
    const headers = { 'x-gateway-retention': 'full' }
    const body = { model: 'test-model', messages }
    expect((await made.admin.post('/gateway/chat/completions', body, { headers })).status).toBe(400)
    const id = await call(made.admin, { retention: 'redacted' })
    expect(told(await original(made.admin, id))).toEqual([409, 'GW-028'])
    expect((await originalsOf(made)).map((row) => row.original)).toEqual([null])
  })
})

test('of several policies the one that keeps least counts', async () => {
  const made = await tenantWith('originals-merged', { retention: { level: 'full' } })
  await published(made, 'less', { retention: { level: 'redacted' } })
  const id = await call(made.admin)
  expect((await made.admin.get(`/gateway/requests/${id}`)).body.data.retention).toBe('redacted')
})

test('a call that was blocked keeps what was sent, and it goes with the content', async () => {
  const made = await tenantWith('originals-blocked', {
    retention: { level: 'full', payload_ttl_days: 1 },
    sensitive_data: { entities: { EMAIL: { action: 'block' } } },
  })
  const { body } = await ask(made.admin, text)
  expect(body.error_code).toBe('GW-004')
  const [row] = (await made.admin.get('/gateway/requests')).body.data
  expect((await original(made.admin, row.id)).body.data.original.messages[0].texts).toEqual([text])
  await world.kernel.db.tenant({ tenantId: made.id }, (tx) =>
    tx.execute(sql`update gateway_request_payload set expires_at = now() - interval '1 second'`),
  )
  expect(told(await original(made.admin, row.id))).toEqual([409, 'GW-028'])
})
