/** An erased person does not come back: a backup with her data in it takes the place of everything, and she is gone again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { openRestorable, type Restarted, type Restorable } from '../../src/modules/admin/backups/testing/restorable.ts'
import { searchEverywhere } from '../../src/modules/data-gov/requests/search.ts'
import { tracesIn } from '../../src/modules/data-gov/testing/traces.ts'
import { addProvider, ask } from '../../src/modules/gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import type { TestClient } from '../support/client.ts'
import { chosenKind } from '../support/database.ts'
import { ownCredentials } from '../support/own-credentials.ts'
import { accept, expectStatus, type OwnWorld, password, type TestTenant } from '../support/world.ts'

/** Known to no detector, so that no policy hides it. */
const customer = 'customer-4711-r5t'
const address = 'ottilie.planted.r7q@canary.example'
const agent = 'PlantedBrowser/r8r'
const canaries = [address, customer, agent, 'Ottilie Planted-r7q']
const patience = { timeout: 60_000, interval: 100 }

let place: Restorable
let world: OwnWorld
let tenant: TestTenant
let second: TestClient
let upstream: Upstream
let her: string
let backup: string
let again: Restarted

beforeAll(async () => {
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  const environment = { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8', PARAPET_LOG_LEVEL: 'silent' }
  place = await openRestorable(chosenKind(), environment)
  world = place.world
  tenant = await world.tenant('restored')
  second = await tenant.as('compliance_officer')
  await ownCredentials(world, tenant.id)
  await addProvider(tenant.admin, 'local', upstream)
})
afterAll(async () => {
  await place?.close()
  await upstream?.close()
})

async function plant(): Promise<void> {
  const { admin } = tenant
  const roles = expectStatus(await admin.get('/iam/roles', { query: { q: 'tenant_admin' } }), 200).body.data
  const body = { email: address, display_name: canaries[3], role_ids: [roles[0].id], delivery: 'invite' }
  const { data } = expectStatus(await admin.post('/iam/users', body), 201).body
  her = data.id
  await accept(world.stranger, data.invitation_url)
  const from = { headers: { 'user-agent': agent } }
  const signedIn = expectStatus(await world.stranger.post('/auth/login', { email: address, password }, from), 200)
  const client = world.stranger.with(signedIn.body.data.access_token)
  expectStatus(await ask(client, `I am ${customer}.`), 200)
  // Another person's text about her: no column says so.
  expectStatus(await ask(admin, `Draft a letter to ${customer}, who wrote to us.`), 200)
  expectStatus(await ask(admin, 'Draft a letter to somebody else.'), 200)
  const event = {
    ...{ subject: { aliases: [{ kind: 'email', value: address }] }, event: 'given', purposes: ['service'] },
    ...{ basis: 'contract', method: 'contract' },
  }
  expectStatus(await admin.post('/data-gov/consents', { kind: 'event', event }), 201)
}

async function erase(): Promise<void> {
  const { admin } = tenant
  const aliases = [
    { kind: 'email', value: address },
    { kind: 'external_id', value: customer },
  ]
  const request = { kind: 'subject_request', request_type: 'erasure', subject: { aliases } }
  const act = (by: TestClient, action: string, more: object = {}) =>
    by.post('/data-gov/retention-runs', { run_id: id, action, ...more })
  const { id } = expectStatus(await admin.post('/data-gov/retention-runs', request), 201).body.data
  expectStatus(await act(admin, 'verify_identity', { identity: { method: 'signed letter' } }), 201)
  expectStatus(await admin.delete(`/iam/users/${her}`), 200)
  expectStatus(await act(second, 'approve'), 201)
  const now = async () => (await admin.get('/data-gov/retention-runs', { query: { id } })).body.data[0].status
  await expect.poll(now, patience).toBe('completed')
}

/** Kept prompts: all, and those that hold her number when they are opened. */
async function prompts(kernel: Kernel): Promise<readonly [all: number, hers: number]> {
  const [counted] = await kernel.db.read(
    tenant.id,
    sql<{ n: number }>`select count(*)::int as n from gateway_request_payload`,
  )
  const wanted = { tenantId: tenant.id, values: [customer], withFiles: false }
  const found = await searchEverywhere(kernel, { ...wanted, runId: '00000000-0000-4000-8000-000000000000' })
  const keys = found.mentions.find(({ table }) => table.name === 'gateway_request_payload')?.keys ?? []
  return [counted?.n ?? 0, keys.length]
}

const maintain = async (client: TestClient, value: object | null) =>
  expectStatus(
    await client.patch('/admin/config', { scope: 'platform', values: { maintenance: value }, comment: 'A restore' }),
    200,
  )

async function madeBackup(): Promise<string> {
  const { id } = expectStatus(await world.operator.post('/admin/backups', { kind: 'full' }), 201).body.data
  const read = async () => (await world.operator.get('/admin/backups', { query: { id } })).body.data[0].status
  await expect.poll(read, patience).toBe('completed')
  return id
}

describe('a person who was erased after a backup', () => {
  test('is in the backup and nowhere else', async () => {
    await plant()
    await expect.poll(() => prompts(world.kernel), patience).toEqual([3, 2])
    backup = await madeBackup()
    await erase()
    expect(await prompts(world.kernel)).toEqual([1, 0])
  })

  test('is erased again before the restored program answers, in the prompts of others too', async () => {
    const full = { mode: 'full', message: 'Back soon.', starts_at: null, ends_at: null, allow_cidrs: [] }
    await maintain(world.operator, full)
    const order = { mode: 'replace', confirm: `replace ${backup}` }
    expectStatus(await world.operator.post(`/admin/backups/${backup}/restore`, order), 201)
    await world.program.replaced
    again = await place.restart()
    // The prompt of the backup that is about no person is there: the restore did happen.
    expect(await prompts(again.program.assembled.kernel)).toEqual([1, 0])
    const operator = await again.signIn('operator@root.example')
    await maintain(operator, null)
    const admin = await again.signIn('admin@restored.example', tenant.id)
    const refused = await ask(admin, 'Hello.', { metadata: { data_subject: address, purpose: 'service' } })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('consent-erased')])
    const query = { request_type: 'erasure' }
    const { data } = expectStatus(await admin.get('/data-gov/retention-runs', { query }), 200).body
    expect(data).toMatchObject([{ status: 'completed', reason: expect.stringContaining('after a restore') }])
  })

  test('has left no trace in any table, and the next start finds nothing more to do', async () => {
    again = await place.restart()
    const admin = await again.signIn('admin@restored.example', tenant.id)
    const { data } = expectStatus(await admin.get('/data-gov/retention-runs', { query: {} }), 200).body
    expect(data).toHaveLength(1)
    await again.program.stop()
    const driver = await place.openDriver()
    try {
      expect(await tracesIn(driver, canaries)).toEqual([])
    } finally {
      await driver.close()
    }
  })
})
