import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { measurePosture, recordPosture } from './measure.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
})
afterAll(() => world.close())

const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const measure = () => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => measurePosture(tx, Date.now()))
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

/** Only the administrator who made the tenant. */
const alone = {
  people: 1,
  people_with_second_factor: 0,
  people_with_passkey: 0,
  people_of_sso: 0,
  people_dormant: 0,
  administrators: 1,
  administrators_without_second_factor: 1,
  administrators_idle: 0,
  service_accounts: 0,
  service_accounts_dormant: 0,
  keys: 0,
  keys_stale: 0,
  keys_old: 0,
  keys_without_expiry: 0,
  reviews_overdue: 0,
}

test('a tenant with one administrator is that in counts', async () => {
  expect(await measure()).toEqual(alone)
})

test('what nobody uses, what is old and who administers is counted, of this tenant only', async () => {
  const other = await world.tenant('beta')
  await other.as('viewer')
  await tenant.as('viewer')
  await tenant.as('tenant_admin')
  const roles = (await tenant.admin.get('/iam/roles')).body.data as readonly { id: string; name: string }[]
  const viewer = roles.find(({ name }) => name === 'viewer')?.id
  const body = { type: 'service', display_name: 'Builds', role_ids: [viewer] }
  const service = expectStatus(await tenant.admin.post('/iam/users', body), 201).body.data.id
  for (const name of ['old', 'used', 'new']) {
    const key = { name, scopes: ['iam:read'], ...(name === 'new' ? {} : { owner_id: service }) }
    expectStatus(await tenant.admin.post('/iam/api-keys', { ...key, scopes: ['trust:read'] }), 201)
  }
  await inTenant(sql`update iam_api_key set created_at = ${ago(100)} where name in ('old', 'used')`)
  await inTenant(sql`update iam_api_key set expires_at = '9999-12-31T23:59:59.999Z' where name = 'new'`)
  await inTenant(sql`update iam_api_key set last_used_at = ${ago(95)} where name = 'used'`)
  await inTenant(sql`
    update iam_user set created_at = ${ago(200)}, active_since = null, last_active_at = ${ago(91)}
    where email = ${`viewer@${tenant.slug}.example`} or id = ${service}`)
  await inTenant(sql`
    update iam_user set created_at = ${ago(200)}, active_since = null, last_active_at = ${ago(31)}
    where email = ${`tenant-admin@${tenant.slug}.example`}`)
  await inTenant(sql`
    insert into iam_factor (id, user_id, kind, name, status, credential_id, public_key, created_at, updated_at)
    select gen_random_uuid(), id, 'passkey', 'Key', 'active', 'abc', '\\x00'::bytea, now(), now()
    from iam_user where email = ${`tenant-admin@${tenant.slug}.example`}`)
  expect(await measure()).toEqual({
    ...alone,
    people: 3,
    people_with_second_factor: 1,
    people_with_passkey: 1,
    people_dormant: 1,
    administrators: 2,
    administrators_without_second_factor: 1,
    administrators_idle: 1,
    service_accounts: 1,
    service_accounts_dormant: 1,
    keys: 3,
    keys_stale: 2,
    keys_old: 2,
    keys_without_expiry: 1,
  })
})

test('it is recorded and told once a day', async () => {
  const services = world.program.assembled.modules.servicesOf('iam') as IamServices
  const record = () => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => recordPosture(services, tx))
  await inTenant(sql`delete from iam_posture`)
  expect([await record(), await record()]).toEqual([true, false])
  const told = await inTenant(sql<{ data: { readonly people: number } }>`
    select data from outbox where channel = 'iam.posture.measured'
    union all select data from event_log where channel = 'iam.posture.measured'`)
  const kept = await inTenant(sql<{ posture: object }>`select posture from iam_posture`)
  expect(kept).toHaveLength(1)
  expect(told).toContainEqual({ data: expect.objectContaining(kept[0]?.posture ?? {}) })
})
