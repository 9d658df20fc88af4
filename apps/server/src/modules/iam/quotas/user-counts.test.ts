import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let roleId: string

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('counts')
  roleId = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
})
afterAll(() => world.close())

const create = (of: TestTenant, role_ids: readonly string[], email: string) =>
  of.admin.post('/iam/users', { email, role_ids })
const total = async (of: TestTenant, filter = '') =>
  (await of.admin.get(`/iam/users?limit=1${filter}`)).body.meta.pagination.total_count
const inTenant = <T>(work: Parameters<typeof world.kernel.db.tenant<T>>[1]) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, work)

/** The number of rows, counted. */
const counted = () => inTenant((tx) => tx.first(sql<{ n: number }>`select count(*)::int as n from iam_user`))

test('the total of all accounts is what counting them gives, as they come and go', async () => {
  expect(await total(tenant)).toBe((await counted())?.n)
  const before = await total(tenant)
  for (const n of [1, 2, 3]) expect((await create(tenant, [roleId], `counted-${n}@counts.example`)).status).toBe(201)
  expect(await total(tenant)).toBe(before + 3)
  expect(await total(tenant, '&status=invited')).toBe(3)
  await inTenant((tx) => tx.execute(sql`delete from iam_user where email_key like 'counted-%'`))
  expect(await total(tenant)).toBe(before)
  expect((await counted())?.n).toBe(before)
})

test('an account that is not kept is not counted', async () => {
  const before = await total(tenant)
  expect((await create(tenant, [roleId], 'once@counts.example')).status).toBe(201)
  expect((await create(tenant, [roleId], 'once@counts.example')).status).toBe(409)
  expect(await total(tenant)).toBe(before + 1)
})

test('a tenant counts its own accounts', async () => {
  const other = await world.tenant('counts-next-door')
  const theirs = await total(other)
  expect((await create(tenant, [roleId], 'ours@counts.example')).status).toBe(201)
  expect(await total(other)).toBe(theirs)
})

test('accounts that go after their count leave none behind', async () => {
  const gone = await world.tenant('counts-gone')
  const scope = { tenantId: gone.id }
  const left = await world.kernel.db.tenant(scope, async (tx) => {
    await tx.execute(sql`delete from iam_user_count`)
    await tx.execute(sql`delete from iam_user_role`)
    await tx.execute(sql`delete from iam_session`)
    await tx.execute(sql`delete from iam_user`)
    return tx.first(sql<{ n: number }>`select count(*)::int as n from iam_user_count`)
  })
  expect(left?.n).toBe(0)
})
