import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeAgent, addAgent, approvers, harmless, move, ownId } from '../testing/agents-world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-agents')
})
afterAll(() => world?.close())

const path = (id: string) => `/aegis/agents/${id}`
const seen = async (id: string) => expectStatus(await tenant.admin.get(path(id)), 200).body.data
const tried = async (client: TestTenant['admin'], id: string, transition: string) => {
  const answer = await client.post(`${path(id)}/transition`, { transition })
  return [answer.status, answer.body.error_code]
}
const accountOf = async (id: string) =>
  world.kernel.db.read(
    tenant.id,
    sql<{ status: string; is_agent: boolean }>`
    select status, is_agent from iam_user where id = ${id}`,
  )

/** Tier 4. */
const mighty = {
  data_classes: ['restricted'],
  autonomy_level: 5,
  untrusted_input: true,
  tools: [{ server_slug: 'bank', tool: '*', capability: 'payment' }],
}

test('an agent is registered as a draft with its service account and a computed tier', async () => {
  const agent = await addAgent(tenant, { ...mighty, slug: 'payer' })
  expect(agent).toMatchObject({ status: 'draft', risk_tier: 4, computed_tier: 4, review: null, has_drift: false })
  expect(await accountOf(agent.id)).toEqual([{ status: 'active', is_agent: true }])
  const body = { name: 'Again', slug: 'payer', owner_user_id: await ownId(tenant.admin), ...harmless }
  const again = await tenant.admin.post('/aegis/agents', body)
  expect([again.status, again.body.error_code]).toEqual([409, 'AEGIS-003'])
  const stranger = await tenant.admin.post('/aegis/agents', { ...body, slug: 'other', owner_user_id: agent.id })
  expect([stranger.status, stranger.body.errors[0].pointer]).toEqual([400, '/owner_user_id'])
})

test('a person raises the tier and does not lower it', async () => {
  const { id } = await addAgent(tenant)
  expect(expectStatus(await tenant.admin.patch(path(id), { risk_tier: 3 }), 200).body.data.risk_tier).toBe(3)
  expect(expectStatus(await tenant.admin.patch(path(id), { risk_tier: null }), 200).body.data.risk_tier).toBe(1)
  const changed = expectStatus(await tenant.admin.patch(path(id), mighty), 200).body.data
  expect(changed.risk_tier).toBe(4)
  const lowered = await tenant.admin.patch(path(id), { risk_tier: 3 })
  expect([lowered.status, lowered.body.errors[0].pointer]).toEqual([400, '/risk_tier'])
})

test('the life of an agent: reviewed by another person, active, quarantined, released, retired', async () => {
  const [approver] = await approvers(world, tenant)
  const { id } = await addAgent(tenant)
  expect(await tried(tenant.admin, id, 'activate')).toEqual([409, 'AEGIS-002'])
  await move(tenant.admin, id, 'submit')
  expect(await tried(tenant.admin, id, 'approve')).toEqual([403, 'AEGIS-009'])
  await move(approver, id, 'reject')
  expect((await seen(id)).status).toBe('draft')
  await move(tenant.admin, id, 'submit')
  await move(approver, id, 'approve')
  const approved = await seen(id)
  expect(approved).toMatchObject({ status: 'approved', review: null })
  const days = (Date.parse(approved.next_review_at) - Date.parse(approved.approved_at)) / 86_400_000
  expect(Math.round(days)).toBe(365)
  await move(tenant.admin, id, 'activate', 'quarantine')
  expect((await accountOf(id))[0]?.status).toBe('suspended')
  expect(await tried(tenant.admin, id, 'release')).toEqual([403, 'AEGIS-009'])
  await move(approver, id, 'release')
  expect((await accountOf(id))[0]?.status).toBe('active')
  await move(tenant.admin, id, 'retire')
  expect((await accountOf(id))[0]?.status).toBe('deactivated')
  expect(await tried(tenant.admin, id, 'activate')).toEqual([409, 'AEGIS-002'])
  const late = await tenant.admin.patch(path(id), { name: 'Late' })
  expect([late.status, late.body.error_code]).toEqual([409, 'AEGIS-002'])
  const told = await world.kernel.db.read(
    tenant.id,
    sql<{ to: string }>`
    select data ->> 'to' as to from (
      select channel, subject, data from outbox union all select channel, subject, data from event_log) as event
    where channel = 'aegis.agent.status_changed' and subject = ${id}`,
  )
  expect(told.map(({ to }) => to).toSorted()).toEqual(
    ['in_review', 'draft', 'in_review', 'approved', 'active', 'quarantined', 'active', 'retired'].toSorted(),
  )
})

test('an agent of tier 4 takes two people with aegis:admin', async () => {
  const [first, second] = await approvers(world, tenant)
  const analyst = await tenant.as('security_analyst')
  const { id } = await addAgent(tenant, mighty)
  await move(tenant.admin, id, 'submit')
  expect(await tried(analyst, id, 'approve')).toEqual([403, 'AEGIS-009'])
  await move(first, id, 'approve')
  expect(await seen(id)).toMatchObject({ status: 'in_review', review: { approvals: [{ comment: null }] } })
  expect(await tried(first, id, 'approve')).toEqual([403, 'AEGIS-009'])
  await move(second, id, 'approve')
  const approved = await seen(id)
  expect(approved.status).toBe('approved')
  const days = (Date.parse(approved.next_review_at) - Date.parse(approved.approved_at)) / 86_400_000
  expect(Math.round(days)).toBe(30)
})

test('an active agent keeps its approved declaration until the new one is approved', async () => {
  const [approver] = await approvers(world, tenant)
  const { id } = await activeAgent(world, tenant)
  const tools = [{ server_slug: 'mail', tool: 'send', capability: 'destructive' }]
  const changed = expectStatus(await tenant.admin.patch(path(id), { tools, name: 'Mailer' }), 200).body.data
  expect(changed).toMatchObject({ status: 'active', name: 'Mailer', tools: [], risk_tier: 1 })
  expect(changed.review).toMatchObject({ declaration: { tools }, risk_tier: 2, approvals: [] })
  expect(await tried(tenant.admin, id, 'approve')).toEqual([403, 'AEGIS-009'])
  await move(approver, id, 'approve')
  expect(await seen(id)).toMatchObject({ status: 'active', tools, risk_tier: 2, review: null })
  expect(await tried(approver, id, 'approve')).toEqual([409, 'AEGIS-002'])
})

test('an approved agent that was never activated goes back to review with a change', async () => {
  const [approver] = await approvers(world, tenant)
  const { id } = await addAgent(tenant)
  await move(tenant.admin, id, 'submit')
  await move(approver, id, 'approve')
  const { data } = expectStatus(await tenant.admin.patch(path(id), { autonomy_level: 3 }), 200).body
  expect(data).toMatchObject({ status: 'in_review', autonomy_level: 3 })
})

test('credentials: the secret once, gone at once, and never before the approval', async () => {
  const draft = await addAgent(tenant)
  const body = { kind: 'api_key', api_key: { name: 'early' } }
  const early = await tenant.admin.post(`${path(draft.id)}/credentials`, body)
  expect([early.status, early.body.error_code]).toEqual([409, 'AEGIS-002'])
  const { id, credential, client } = await activeAgent(world, tenant)
  const listed = (await tenant.admin.get(path(id), { query: { include: 'credentials' } })).body.data.credentials
  expect(listed).toEqual([expect.objectContaining({ id: credential.id, status: 'active' })])
  expect(JSON.stringify(listed)).not.toContain(credential.secret)
  const long = { ...body, expires_at: new Date(world.kernel.clock.now() + 400 * 86_400_000).toISOString() }
  const refused = await tenant.admin.post(`${path(id)}/credentials`, long)
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/expires_at'])
  expectStatus(await client.post('/aegis/activity', { events: [] }), 200)
  expectStatus(await tenant.admin.delete(`${path(id)}/credentials/${credential.id}`), 200)
  expect((await client.post('/aegis/activity', { events: [] })).status).toBe(401)
  const other = await tenant.admin.delete(`${path(draft.id)}/credentials/${credential.id}`)
  expect(other.status).toBe(404)
})

test('a key of an agent reaches no route of management, whatever its account was given', async () => {
  const { id, client } = await activeAgent(world, tenant)
  for (const route of ['/aegis/agents', path(id), '/auth/me', '/gateway/requests', '/gateway/models'] as const) {
    const answer = await client.get(route)
    expect([route, answer.status, answer.body.error_code]).toEqual([route, 403, 'AUTH-004'])
  }
  const roles = (await tenant.admin.get('/iam/roles')).body.data
  const admin = roles.find(({ name }: { name: string }) => name === 'tenant_admin').id
  expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { role_ids: [admin] }), 200)
  expect((await client.get('/aegis/agents')).body.error_code).toBe('AUTH-004')
  expect((await tenant.admin.post('/aegis/activity', { events: [] })).body.error_code).toBe('AUTH-004')
})

test('agents are found by state, tier, tag, drift and the beginning of their name', async () => {
  const one = await addAgent(tenant, { name: 'Invoice Reader', slug: 'invoice-reader', tags: ['finance'] })
  const list = async (query: Readonly<Record<string, string>>) =>
    expectStatus(await tenant.admin.get('/aegis/agents', { query }), 200).body.data.map(({ id }: { id: string }) => id)
  expect(await list({ tag: 'finance' })).toEqual([one.id])
  expect(await list({ q: 'read' })).toEqual([one.id])
  expect(await list({ q: 'invoice-', status: 'draft', tier: '1', drift: 'false', review_due: 'false' })).toEqual([
    one.id,
  ])
  expect(await list({ tag: 'finance', environment: 'dev' })).toEqual([])
})

test('a token of an outside issuer stands for the agent where it reports, and nowhere once it is unbound', async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(pair.publicKey)), kid: 'one', use: 'sig' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const metadata = { issuer, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : metadata))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const token = await new SignJWT({ iss: issuer, sub: 'workload', aud: 'parapet' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setExpirationTime('10 minutes')
    .sign(pair.privateKey)
  const { id } = await activeAgent(world, tenant)
  const credentials = `${path(id)}/credentials`
  const match = { issuer, claim: 'sub', value: 'workload', audience: 'parapet' }
  const mixed = await tenant.admin.post(credentials, { kind: 'jwt', match, api_key: { name: 'both' } })
  expect([mixed.status, mixed.body.error_code]).toEqual([400, 'API-001'])
  const bound = expectStatus(await tenant.admin.post(credentials, { kind: 'jwt', match }), 201).body.data
  expect(bound).toMatchObject({ kind: 'jwt', match, secret: null, agent_id: id })
  const again = await tenant.admin.post(credentials, { kind: 'jwt', match })
  expect([again.status, again.body.error_code]).toEqual([409, 'IAM-021'])
  const client = world.stranger.with(token)
  const events = [{ event_id: 'by-token', time: world.kernel.clock.iso(), type: 'memory.write' }]
  expect(expectStatus(await client.post('/aegis/activity', { events }), 200).body.data.accepted).toBe(1)
  expect((await client.get('/aegis/agents')).status).toBe(401)
  expectStatus(await tenant.admin.delete(`${credentials}/${bound.id}`), 200)
  expect((await client.post('/aegis/activity', { events })).status).toBe(401)
  server.close()
})
