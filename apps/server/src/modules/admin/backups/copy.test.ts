import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { accept, expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { untilSealed } from '../../../kernel/audit/testing/seals.ts'
import { asOwner } from '../../../kernel/db/owner.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'

let database: TestDatabase
let world: OwnWorld
let tenant: TestTenant
let full: string
let own: string

const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]
const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'the heron waits' }] }

async function madeBackup(client: TestClient, kind: string): Promise<string> {
  const { id } = expectStatus(await client.post('/admin/backups', { kind }), 201).body.data
  const read = async () => (await client.get('/admin/backups', { query: { id } })).body.data[0].status
  await vi.waitFor(async () => expect(await read()).toBe('completed'), { timeout: 30_000, interval: 100 })
  return id
}

const ask = (client: TestClient, id: string, body: object, headers = {}) =>
  client.post(`/admin/backups/${id}/restore`, { mode: 'as_new_tenant', ...body }, { headers })

async function verdict(answer: TestAnswer, headers = {}) {
  const { id, tenant_id } = expectStatus(answer, 201).body.data
  const read = async () => (await world.operator.get('/admin/jobs', { query: { id }, headers })).body.data[0]
  await vi.waitFor(async () => expect((await read()).status).toBe('completed'), { timeout: 60_000, interval: 200 })
  return { tenantId: tenant_id as string, result: (await read()).result }
}

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  world = await openWorld({ database })
  tenant = await world.tenant('origin')
  await tenant.as('viewer')
  expectStatus(await tenant.admin.post('/iam/roles', { name: 'Own', permissions: ['trust:read'] }), 201)
  expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'Key', scopes: ['iam:read'] }), 201)
  const values = { 'flags.stale_days': 77 }
  expectStatus(await tenant.admin.patch('/admin/config', { values, comment: 'Own' }), 200)
  const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
  const provider = { kind: 'openai_compatible', name: 'spare', base_url: 'http://127.0.0.1:9/v1', secrets }
  expectStatus(await tenant.admin.post('/gateway/providers', provider), 201)
  expectStatus(await tenant.admin.post('/gateway/chat/completions', chat), 200)
  // A backup has the seals of its moment.
  await untilSealed(world, tenant.id)
  ;[full, own] = [await madeBackup(world.operator, 'full'), await madeBackup(tenant.admin, 'tenant')]
})
afterAll(() => world?.close())

test('a copy needs an operator who is fresh, a slug and a tenant that is in the backup', async () => {
  expect(told(await ask(tenant.admin, own, { slug: 'copy' }))).toEqual([403, 'AUTH-004'])
  expect(told(await ask(world.operator, full, { tenant_id: tenant.id }))).toEqual([400, 'API-001'])
  expect(told(await ask(world.operator, full, { slug: 'copy' }))).toEqual([400, 'API-001'])
  const later = await world.tenant('later')
  const refused = await verdict(await ask(world.operator, full, { slug: 'copy', tenant_id: later.id }))
  expect(refused.result).toMatchObject({ restored: false, check: 'tenant' })
  const taken = await verdict(await ask(world.operator, full, { slug: 'origin', tenant_id: tenant.id }))
  expect(taken.result).toMatchObject({ restored: false, check: 'slug' })
  const listed = expectStatus(await world.operator.get('/iam/tenants'), 200).body.data
  expect(listed.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['later', 'origin', 'root'])
})

test('C10 a tenant of a full backup stands beside its source: people, rights, configuration, and no id or credential of it', async () => {
  const { tenantId, result } = await verdict(await ask(world.operator, full, { slug: 'copy', tenant_id: tenant.id }))
  expect(result).toMatchObject({ restored: true, check: null, tenant_id: tenantId, people: 2 })
  const headers = { 'x-tenant-id': tenantId }
  const seen = async (path: string) => expectStatus(await world.operator.get(path, { headers }), 200).body.data
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort()
  expect(names(await seen('/iam/roles?limit=100'))).toEqual(
    names(expectStatus(await tenant.admin.get('/iam/roles?limit=100'), 200).body.data),
  )
  const people = await seen('/iam/users')
  expect(people.map(({ email, status }: { email: string; status: string }) => [email, status]).sort()).toEqual([
    ['admin@origin.example', 'invited'],
    ['viewer@origin.example', 'invited'],
  ])
  expect(await seen('/iam/api-keys')).toEqual([])
  const setting = async () => (await seen('/admin/config?key=flags.stale_days'))[0]
  await expect.poll(async () => (await setting()).value).toBe(77)
  expect((await setting()).source).toBe('tenant')
  expect(await seen('/iam/sessions')).toEqual([])
  expect(told(await world.operator.post('/gateway/chat/completions', chat, { headers }))).toEqual([200, undefined])
  for (const { name, row } of schemaOf(modules).tables.filter(({ inTenantCopies }) => inTenantCopies)) {
    if (!('id' in row.properties)) continue
    const [shared] = await asOwner(database.driver, (run) =>
      run(sql`select count(*)::int as count from ${identifier(name)} a join ${identifier(name)} b on a.id = b.id
        where a.tenant_id = ${tenant.id} and b.tenant_id = ${tenantId}`),
    )
    expect([name, shared?.count]).toEqual([name, 0])
  }
  const log = await seen('/admin/audit-logs?action=admin.backup.copy')
  expect(log[0].after).toMatchObject({ mode: 'as_new_tenant', source: tenant.id, source_log_head: expect.any(String) })
  const verify = async () => (await world.operator.post('/admin/audit-logs/verify', {}, { headers })).body.data
  await expect.poll(async () => (await verify()).reason).toBeNull()
})

test('its secrets are sealed under its own keys and say what they said, and its people come in by a new invitation', async () => {
  const headers = { 'x-tenant-id': tenant.id }
  const { tenantId } = await verdict(await ask(world.operator, own, { slug: 'second' }, headers), headers)
  const secrets = await asOwner(database.driver, (run) =>
    run(
      sql`select tenant_id, id, ciphertext from gateway_provider_secret where tenant_id in (${tenant.id}, ${tenantId})`,
    ),
  )
  const texts = await Promise.all(
    secrets.map(async (row) => {
      const address = { table: 'gateway_provider_secret', column: 'ciphertext', rowId: String(row.id) }
      const bytes = await world.kernel.tenantKeys.decrypt(row.tenant_id as never, address, row.ciphertext as Uint8Array)
      return Buffer.from(bytes).toString()
    }),
  )
  expect(texts).toHaveLength(2)
  expect(texts[0]).toBe(texts[1])
  const there = { 'x-tenant-id': tenantId }
  const roles = expectStatus(await world.operator.get('/iam/roles?limit=100', { headers: there }), 200).body.data
  const role_ids = [roles.find(({ name }: { name: string }) => name === 'tenant_admin').id]
  const body = { email: 'admin@origin.example', role_ids, delivery: 'invite' }
  const again = expectStatus(await world.operator.post('/iam/users', body, { headers: there }), 201).body.data
  await accept(world.stranger, again.invitation_url)
  const admin = await world.signIn('admin@origin.example', tenantId)
  expect(expectStatus(await admin.get('/auth/me'), 200).body.data.tenant.slug).toBe('second')
  expect(told(await tenant.admin.get('/iam/roles'))).toEqual([200, undefined])
})
