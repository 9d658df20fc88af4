import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'

let world: World
let iam: IamServices

beforeAll(async () => {
  world = await openWorld({ own: true })
  iam = world.program.assembled.modules.servicesOf('iam') as IamServices
})
afterAll(() => world.close())

/** So many guesses at each of so many accounts. */
async function guessed({ id }: TestTenant, accounts: readonly string[], each: number): Promise<void> {
  for (const account of accounts) for (let n = 0; n < each; n += 1) iam.failures.failed(id, account)
  await iam.failures.flush()
}
const somebodies = (count: number) => Array.from({ length: count }, () => world.kernel.random.uuid())
const told = ({ id }: TestTenant) =>
  world.kernel.db.read(
    id,
    sql<{ data: unknown }>`
      select data from outbox where channel = 'iam.login.spraying_detected'
      union all select data from event_log where channel = 'iam.login.spraying_detected'`,
  )

test('C06 a password tried at many accounts is told of once an hour, however slowly each is guessed at', async () => {
  const tenant = await world.tenant('sprayed')
  const accounts = somebodies(12)
  await guessed(tenant, accounts, 1)
  await guessed(tenant, accounts, 1)
  expect(await told(tenant)).toEqual([])
  await guessed(tenant, accounts, 1)
  const [first, ...more] = await told(tenant)
  expect(more).toEqual([])
  expect(first?.data).toMatchObject({ accounts: 12, sign_ins: 1, minutes: 15 })
  await guessed(tenant, accounts, 3)
  expect(await told(tenant)).toHaveLength(1)
  const query = { action: 'auth.login_spraying' }
  expect(expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body.data).toHaveLength(1)
})

test('one account that is guessed at, and a tenant where people come in, are no such thing', async () => {
  const single = await world.tenant('single')
  await guessed(single, somebodies(1), 60)
  expect(await told(single)).toEqual([])
  const busy = await world.tenant('busy')
  for (let n = 0; n < 9; n += 1) await world.signIn('admin@busy.example', busy.id)
  await guessed(busy, somebodies(12), 3)
  expect(await told(busy)).toEqual([])
})
