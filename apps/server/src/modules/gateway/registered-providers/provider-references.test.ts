/** Providers whose keys are named instead of stored, through the routes and with a provider that knows its keys. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, type Reply, raw, say, type Upstream } from '../testing/upstream.ts'

let folder: string
let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-secrets-'))
  world = await openWorld({ environment: { PARAPET_GATEWAY_SECRET_DIR: folder } })
  tenant = await world.tenant('references')
  await mkdir(join(folder, tenant.id))
  upstream = await openUpstream()
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
  await rm(folder, { recursive: true })
})

const keep = (key: string) => writeFile(join(folder, tenant.id, 'llm'), key)
const knows =
  (key: string): Reply =>
  (response, received) => {
    if (received.authorization !== `Bearer ${key}`) return fail(401)(response, received)
    return received.path.endsWith('/models')
      ? raw('{"data":[{"id":"test-model"}]}')(response, received)
      : say('OK')(response, received)
  }

test('C51 a named key is read when it is used, shown as its name, and stored nowhere', async () => {
  await keep('sk-from-a-file-1')
  upstream.reply(knows('sk-from-a-file-1'))
  const secrets = [{ id: 'main', ref: 'file://llm' }]
  const made = await addProvider(tenant.admin, 'named', upstream, { secrets, test: true })
  expect(made.secrets).toMatchObject([{ id: 'main', ref: 'file://llm', hint: '' }])
  expect((await ask(tenant.admin, 'hi')).status).toBe(200)
  const everything = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.query(sql<{ row: unknown }>`select to_jsonb(s) as row from gateway_provider_secret s`),
  )
  expect(JSON.stringify(everything)).not.toContain('from-a-file')
  // The first call with a key that was replaced where it is kept is refused by the provider; the next reads it.
  await keep('sk-from-a-file-2')
  upstream.reply(knows('sk-from-a-file-2'))
  expect((await ask(tenant.admin, 'hi')).body.error_code).toBe('GW-015')
  expect((await ask(tenant.admin, 'hi')).status).toBe(200)
})

test('a key that cannot be read says why, to who tests and who looks', async () => {
  const [provider] = (await tenant.admin.get('/gateway/providers', { query: { kind: 'openai_compatible' } })).body.data
  const path = `/gateway/providers/${provider.id}`
  const rotate = (body: object) => tenant.admin.post(`${path}/rotate-secret`, { key_id: 'main', ...body })
  const untested = await rotate({ ref: 'file://gone' })
  expect([untested.body.error_code, untested.body.errors[0].detail]).toEqual([
    'GW-015',
    'the key cannot be read: The file gone cannot be read (ENOENT).',
  ])
  expect((await rotate({ ref: 'file://gone', skip_test: true, overlap_seconds: 0 })).status).toBe(200)
  const report = (await tenant.admin.post(`${path}/test`, {})).body.data
  expect(report.checks[2]).toMatchObject({ ok: false, detail: expect.stringContaining('The file gone cannot be read') })
  const failed = await ask(tenant.admin, 'hi')
  expect(failed.body.error_code).toBe('GW-015')
  await expect
    .poll(async () => (await tenant.admin.get(path)).body.data.health.reason)
    .toBe('the key cannot be read: The file gone cannot be read (ENOENT).')
  const logged = await tenant.admin.get(`/gateway/requests/${failed.body.log_id}`)
  expect(logged.body.data.attempts[0].reason).toContain('The file gone cannot be read')
  expect((await rotate({ ref: 'file://llm' })).body.data).toMatchObject({ hint: '', version: 3 })
  expect((await ask(tenant.admin, 'hi')).status).toBe(200)
})

test.each([
  [{ ref: 'env://HOME' }, '/secrets/0/ref'],
  [{ ref: 'file://../x' }, '/secrets/0/ref'],
  [{ ref: 'vault://x' }, '/secrets/0/ref'],
  [{ ref: 'file://llm', value: 'sk-both' }, '/secrets/0/value'],
  [{}, '/secrets/0/value'],
])('%j is no key', async (key, pointer) => {
  const answer = await tenant.admin.post('/gateway/providers', {
    name: 'wrong',
    kind: 'openai_compatible',
    base_url: upstream.url,
    secrets: [{ id: 'main', ...key }],
  })
  expect([answer.status, answer.body.error_code, answer.body.errors[0].pointer]).toEqual([400, 'API-001', pointer])
})
