import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, type OwnWorld, type TestTenant } from '../../../../test/support/world.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import { openRestorable, type Restarted, type Restorable } from './testing/restorable.ts'

let place: Restorable
let world: OwnWorld
let tenant: TestTenant
let backup: string
let again: Restarted
const keys: Record<string, { readonly id: string; readonly secret: string }> = {}
const people: Record<string, string> = {}

const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]
const full = { mode: 'full', message: 'Back soon.', starts_at: null, ends_at: null, allow_cidrs: [] }
const maintain = (client: TestClient, value: object | null) =>
  client.patch('/admin/config', { scope: 'platform', values: { maintenance: value }, comment: 'A restore' })

async function key(name: string): Promise<void> {
  const { data } = expectStatus(
    await tenant.admin.post('/iam/api-keys', { name, scopes: ['iam:read', 'admin:read'] }),
    201,
  ).body
  keys[name] = { id: data.id, secret: data.secret }
}

async function person(name: string): Promise<void> {
  const roles = expectStatus(await tenant.admin.get('/iam/roles'), 200).body.data
  const role_ids = [roles.find((role: { name: string }) => role.name === 'viewer').id]
  const email = `${name}@phoenix.example`
  const { data } = expectStatus(
    await tenant.admin.post('/iam/users', { email, role_ids, delivery: 'invite' }),
    201,
  ).body
  await accept(world.stranger, data.invitation_url)
  people[name] = data.id
}

const role = (name: string) => tenant.admin.post('/iam/roles', { name, permissions: ['trust:read'] })
const job = async (client: TestClient, id: string) =>
  expectStatus(await client.get('/admin/jobs', { query: { id } }), 200).body.data[0]

async function madeBackup(client: TestClient, kind: string): Promise<string> {
  const { id } = expectStatus(await client.post('/admin/backups', { kind }), 201).body.data
  const read = async () => (await client.get('/admin/backups', { query: { id } })).body.data[0].status
  await vi.waitFor(async () => expect(await read()).toBe('completed'), { timeout: 30_000, interval: 100 })
  return id
}

/** @throws Error with the job's message, when it ends without a new state */
async function failed(id: string): Promise<void> {
  for (;;) {
    const answer = await world.operator.get('/admin/jobs', { query: { id } })
    const found = answer.body?.data?.[0]
    if (found?.status === 'dead' || found?.result?.replaced === false) throw new Error(JSON.stringify(found))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const restore = (client: TestClient, id: string, confirm = `replace ${id}`) =>
  client.post(`/admin/backups/${id}/restore`, { mode: 'replace', confirm })

beforeAll(async () => {
  place = await openRestorable()
  world = place.world
  tenant = await world.tenant('phoenix')
  await key('kept')
  await key('leaked')
  await person('stays')
  await person('leaves')
  expectStatus(await role('Before'), 201)
  backup = await madeBackup(world.operator, 'full')
  expectStatus(await role('After'), 201)
  await key('younger')
  expectStatus(await tenant.admin.delete(`/iam/api-keys/${keys.leaked?.id}`), 200)
  expectStatus(await tenant.admin.delete(`/iam/users/${people.leaves}`), 200)
  expectStatus(await tenant.admin.delete(`/iam/users/${people.leaves}`, { query: { mode: 'erase' } }), 200)
  await world.tenant('later')
})
afterAll(() => place?.close())

describe('before the data are replaced', () => {
  test('the phrase, the maintenance, the operator and the kind are asked for, and nothing is done', async () => {
    expect(told(await restore(world.operator, backup, 'replace'))).toEqual([400, 'API-001'])
    expect(told(await restore(world.operator, backup))).toEqual([409, 'ADM-013'])
    expect(told(await restore(tenant.admin, backup))).toEqual([403, 'AUTH-004'])
    const ofTenant = await madeBackup(world.operator, 'tenant')
    expectStatus(await maintain(world.operator, full), 200)
    expect(told(await restore(world.operator, ofTenant))).toEqual([409, 'API-011'])
    const made = { name: 'Operator', scopes: ['admin:admin', 'admin:read', 'super_admin'] }
    const opened = await world.operator.post('/iam/api-keys', made)
    if (opened.status === 201)
      expect(told(await restore(world.stranger.with(opened.body.data.secret), backup))).toEqual([401, 'AUTH-009'])
    expect(world.kernel.gate.closed()).toBe(true)
  })
})

describe('a backup in the place of everything', () => {
  let order: { readonly id: string }

  beforeAll(async () => {
    order = expectStatus(await restore(world.operator, backup), 201).body.data
    await Promise.race([world.program.replaced, failed(order.id)])
  })

  test('this process serves nothing any more, and nobody stays signed in', async () => {
    expect(told(await world.operator.get('/admin/backups'))[0]).toBe(401)
    expect((await world.program.app.inject('/readyz')).statusCode).toBe(503)
    again = await place.restart()
    expect(told(await again.stranger.with(world.operator.token).get('/admin/backups'))[0]).toBe(401)
    expect(told(await again.stranger.with(tenant.admin.token).get('/iam/roles'))[0]).toBe(401)
  })

  test('the maintenance goes on until the operator ends it, who finds the verdict', async () => {
    const operator = await again.signIn('operator@root.example')
    const { result, status } = await job(operator, order.id)
    expect({ result, status }).toMatchObject({
      status: 'completed',
      result: { replaced: true, check: null, people_erased: 1, keys_revoked: 1, logs_of_backup: 0, tenants: 2 },
    })
    const { secret } = keys.kept ?? {}
    expect(told(await again.stranger.with(secret ?? '').get('/iam/roles'))).toEqual([503, 'ADM-009'])
    expectStatus(await maintain(operator, null), 200)
    expect(told(await again.stranger.with(secret ?? '').get('/iam/roles'))).toEqual([200, undefined])
  })

  test('what came after the backup is gone, what was there is there', async () => {
    const admin = await again.signIn('admin@phoenix.example', tenant.id)
    const names = expectStatus(await admin.get('/iam/roles', { query: { limit: '100' } }), 200).body.data
    expect(names.map(({ name }: { name: string }) => name)).toContain('Before')
    expect(names.map(({ name }: { name: string }) => name)).not.toContain('After')
    expect(told(await again.stranger.with(keys.younger?.secret ?? '').get('/iam/roles'))[0]).toBe(401)
    const operator = await again.signIn('operator@root.example')
    const tenants = expectStatus(await operator.get('/iam/tenants'), 200).body.data
    expect(tenants.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['phoenix', 'root'])
  })

  test('C64 C66 who was erased and what was revoked after the backup stays so', async () => {
    const admin = await again.signIn('admin@phoenix.example', tenant.id)
    const { data } = expectStatus(await admin.get(`/iam/users/${people.leaves}`), 200).body
    expect(data).toMatchObject({ status: 'erased', email: null, display_name: 'Erased user' })
    expect(expectStatus(await admin.get(`/iam/users/${people.stays}`), 200).body.data.status).toBe('active')
    expect(told(await again.stranger.with(keys.leaked?.secret ?? '').get('/iam/roles'))[0]).toBe(401)
  })

  test('C64 the logs go on: what came after the backup is still told, the restore too, and every chain verifies', async () => {
    const operator = await again.signIn('operator@root.example')
    const admin = await again.signIn('admin@phoenix.example', tenant.id)
    const created = { action: 'iam.role.create', sort: 'at' }
    const roles = expectStatus(await admin.get('/admin/audit-logs', { query: created }), 200).body.data
    expect(roles.map(({ after }: { after: { name: string } }) => after.name)).toEqual(
      expect.arrayContaining(['Before', 'After']),
    )
    for (const client of [operator, admin]) {
      const query = { action: 'admin.backup.replace' }
      const { data } = expectStatus(await client.get('/admin/audit-logs', { query }), 200).body
      expect(data).toHaveLength(1)
      expect(data[0]).toMatchObject({ target: `backup:${backup}`, after: { mode: 'replace', log: 'kept' } })
      const verified = async () => (await client.post('/admin/audit-logs/verify', {})).body.data
      await expect.poll(async () => (await verified()).reason).toBeNull()
      expect(await verified()).toMatchObject({ verified: true })
    }
  })

  test('C64 a log that was damaged is the backup’s afterwards, and the restore says so', async () => {
    const next = await madeBackup(await again.signIn('operator@root.example'), 'full')
    await again.program.stop()
    const driver = await place.openDriver()
    await asOwner(driver, (run) =>
      run(
        script(
          `update audit_entry set action = 'iam.forged' where action = 'iam.role.create' and tenant_id = '${tenant.id}'`,
        ),
      ),
    )
    await driver.close()
    again = await place.restart()
    const operator = await again.signIn('operator@root.example')
    expectStatus(await maintain(operator, full), 200)
    const order = expectStatus(await restore(operator, next), 201).body.data
    await again.program.replaced
    again = await place.restart()
    const back = await again.signIn('operator@root.example')
    expect((await job(back, order.id)).result).toMatchObject({ replaced: true, logs_of_backup: 1 })
    expectStatus(await maintain(back, null), 200)
    const admin = await again.signIn('admin@phoenix.example', tenant.id)
    const forged = await admin.get('/admin/audit-logs', { query: { action: 'iam.forged' } })
    expect(expectStatus(forged, 200).body.data).toEqual([])
    const query = { action: 'admin.backup.replace', sort: '-at' }
    const { data } = expectStatus(await admin.get('/admin/audit-logs', { query }), 200).body
    expect(data[0].after).toMatchObject({ log: 'backup' })
    const reason = async () => (await admin.post('/admin/audit-logs/verify', {})).body.data.reason
    await expect.poll(reason).toBeNull()
  })

  test('a backup made afterwards is proven, and the next restore starts from there', async () => {
    const operator = await again.signIn('operator@root.example')
    const next = await madeBackup(operator, 'full')
    const asked = expectStatus(await operator.post(`/admin/backups/${next}/restore`, { mode: 'verify' }), 201).body.data
    await expect
      .poll(async () => (await job(operator, asked.id)).result, { timeout: 60_000 })
      .toMatchObject({ verified: true })
    const listed = expectStatus(await operator.get('/admin/backups', { query: { sort: 'created_at' } }), 200).body.data
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([backup, next]))
  })
})

test('C66 an erasure is noted beside the backups, and whatever a database comes back from, the start erases again', async () => {
  const note = `${tenant.id}.${people.leaves}`
  expect(await readdir(join(place.folder, 'backups', 'erasures'))).toContain(note)
  await again.program.stop()
  const driver = await place.openDriver()
  await asOwner(driver, (run) =>
    run(
      script(`update iam_user set status = 'active', email = 'back@phoenix.example', email_key = 'back@phoenix.example',
        display_name = 'Back Again' where id = '${people.leaves}'`),
    ),
  )
  await driver.close()
  again = await place.restart()
  const admin = await again.signIn('admin@phoenix.example', tenant.id)
  expect(expectStatus(await admin.get(`/iam/users/${people.leaves}`), 200).body.data.status).toBe('erased')
})
