import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { replaceOldDataKey, replaceOldTokenKey } from './age.ts'

let world: OwnWorld
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('aging')
})
afterAll(() => world?.close())

const versions = async () => (await world.kernel.keys.dataKeys(tenant.id)).map(({ kid }) => kid.split('/')[1])
const tokenKey = () => world.kernel.signingKeys.activeKid('token')
const age = (days: number) =>
  world.kernel.db.system('test', async (tx) => {
    await tx.execute(sql`update tenant_data_key set created_at = created_at - make_interval(days => ${days})`)
    await tx.execute(sql`update signing_key set activates_at = activates_at - make_interval(days => ${days})`)
  })
const set = async (values: object, scope: 'platform' | 'tenant') =>
  expectStatus(await world.operator.patch('/admin/config', { scope, values, comment: 'Keys' }), 200)

test('C65 a data key is replaced after its days, what it locked is locked anew, and it is in the log', async () => {
  await replaceOldDataKey(world.kernel, tenant.id)
  expect(await versions()).toEqual(['1'])
  await age(366)
  await replaceOldDataKey(world.kernel, tenant.id)
  await replaceOldDataKey(world.kernel, tenant.id)
  expect(await versions()).toEqual(['2', '1'])
  const [entry] = expectStatus(
    await tenant.admin.get('/admin/audit-logs', { query: { action: 'admin.keys.rotate' } }),
    200,
  ).body.data
  expect(entry).toMatchObject({ actor_kind: 'system', target: 'key:data', reason: 'age' })
  const reseal = async () =>
    expectStatus(await tenant.admin.get('/admin/jobs', { query: { kind: 'admin.keys.reseal' } }), 200).body.data
  await expect.poll(async () => (await reseal())[0]?.status).toBe('completed')
})

test('C65 the key of tokens is replaced after its days, once however many ask, and nobody is signed out', async () => {
  const before = tokenKey()
  await Promise.all([replaceOldTokenKey(world.kernel), replaceOldTokenKey(world.kernel)])
  const after = tokenKey()
  expect(after).not.toBe(before)
  const keys = await world.kernel.keys.inventory()
  expect(keys.filter(({ purpose, status }) => purpose === 'token' && status === 'retiring')).toHaveLength(1)
  await replaceOldTokenKey(world.kernel)
  expect(tokenKey()).toBe(after)
  expectStatus(await tenant.admin.get('/iam/roles'), 200)
})

test('where age does not count nothing is replaced', async () => {
  await set({ 'keys.token_signing_days': 0, 'keys.data_days': 0 }, 'platform')
  await age(4_000)
  const before = [tokenKey(), await versions()]
  await replaceOldDataKey(world.kernel, tenant.id)
  await replaceOldTokenKey(world.kernel)
  expect([tokenKey(), await versions()]).toEqual(before)
})

test('C65 a data key that has locked half of what its cipher allows is replaced, whatever its age', async () => {
  const [before] = await world.kernel.keys.dataKeys(tenant.id)
  const used = (uses: number) =>
    world.kernel.db.system('test', (tx) =>
      tx.execute(sql`
        insert into key_use (kid, uses) values (${before?.kid ?? ''}, ${uses})
        on conflict (kid) do update set uses = excluded.uses`),
    )
  await used(2 ** 31 - 1_000_000)
  await replaceOldDataKey(world.kernel, tenant.id)
  expect((await world.kernel.keys.dataKeys(tenant.id))[0]?.kid).toBe(before?.kid)
  await used(2 ** 31)
  await replaceOldDataKey(world.kernel, tenant.id)
  const [after, worn] = await world.kernel.keys.dataKeys(tenant.id)
  expect([worn?.kid, worn?.uses]).toEqual([before?.kid, 2 ** 31])
  expect(after?.kid).not.toBe(before?.kid)
  const address = { table: 'case', column: 'secret', rowId: world.kernel.random.uuid() }
  const uses = async () => (await world.kernel.keys.dataKeys(tenant.id))[0]?.uses ?? 0
  const began = await uses()
  await world.kernel.tenantKeys.encrypt(tenant.id, address, Buffer.from('a secret'))
  expect(await uses()).toBe(began + 1)
  const query = { action: 'admin.keys.rotate' }
  const [entry] = expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body.data
  expect(entry).toMatchObject({ target: 'key:data', reason: 'uses' })
  await world.signIn('admin@aging.example')
  const body = { purpose: 'token_signing', dry_run: true }
  const { keys } = expectStatus(await world.operator.post('/admin/keys/rotate', body), 200).body.data
  const active = keys.find(({ status }: { status: string }) => status === 'active')
  expect(active.uses).toBeGreaterThan(0)
})
