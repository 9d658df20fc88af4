import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let service: string
let administrator: string

const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const ago = (days: number): string => new Date(world.kernel.clock.now() - days * 86_400_000).toISOString()
const read = (name: string) => readFact(world, tenant.id, name)

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('iam-facts')
  const { admin } = tenant
  await tenant.as('viewer')
  await tenant.as('security_admin')
  administrator = expectStatus(await admin.get('/auth/me'), 200).body.data.user.id
  const roles = (await admin.get('/iam/roles')).body.data as readonly { id: string; name: string }[]
  const viewer = roles.find(({ name }) => name === 'viewer')?.id
  const body = { type: 'service', display_name: 'Builds', role_ids: [viewer] }
  service = expectStatus(await admin.post('/iam/users', body), 201).body.data.id
  for (const name of ['year', 'quarter', 'month', 'new', 'revoked'])
    expectStatus(await admin.post('/iam/api-keys', { name, scopes: ['trust:read'], owner_id: service }), 201)
})
afterAll(() => world?.close())

test('people are counted with a factor, with a passkey, vouched for, and with neither', async () => {
  expect(await read('iam.second_factors')).toEqual({ people: 3, with_factor: 0, with_passkey: 0, without: 3 })
  await inTenant(sql`
    insert into iam_factor (id, user_id, kind, name, status, credential_id, public_key, created_at, updated_at)
    select gen_random_uuid(), ${administrator}::uuid, 'passkey', 'Key', 'active', 'abc', '\\x00'::bytea, now(), now()`)
  await inTenant(sql`
    update iam_session set created_via = 'sso:oidc', amr = array['pwd', 'mfa']
    where user_id = (select id from iam_user where email = ${`viewer@${tenant.slug}.example`})`)
  expect(await read('iam.second_factors')).toEqual({ people: 3, with_factor: 2, with_passkey: 1, without: 1 })
})

test('privileged accounts are those whose roles administer, the least used first', async () => {
  await inTenant(sql`
    update iam_user set created_at = ${ago(50)}, active_since = null, last_active_at = ${ago(40)}
    where email = ${`security-admin@${tenant.slug}.example`}`)
  expect(await read('iam.privileged_accounts')).toEqual({
    total: 2,
    accounts: [
      expect.objectContaining({ roles: ['security_admin'], second_factor: false, last_used_at: ago40() }),
      expect.objectContaining({
        user_id: administrator,
        roles: ['tenant_admin'],
        second_factor: true,
        emergency: false,
      }),
    ],
  })
})

const ago40 = () => expect.stringMatching(new RegExp(`^${ago(40).slice(0, 10)}`))

test('API keys that work are counted by their age', async () => {
  for (const [name, days] of [
    ['year', 400],
    ['quarter', 100],
    ['month', 40],
  ] as const)
    await inTenant(sql`update iam_api_key set created_at = ${ago(days)} where name = ${name}`)
  await inTenant(sql`update iam_api_key set last_used_at = ${ago(5)} where name = 'quarter'`)
  await inTenant(sql`update iam_api_key set expires_at = '9999-12-31T23:59:59.999Z' where name = 'year'`)
  await inTenant(sql`update iam_api_key set revoked_at = ${ago(0)} where name = 'revoked'`)
  expect(await read('iam.api_keys')).toEqual({
    ...{ total: 4, up_to_30_days: 1, up_to_90_days: 1, up_to_365_days: 1, older: 1 },
    ...{ without_expiry: 1, unused_90_days: 1 },
  })
})

test('agents are the service accounts, with the keys that work', async () => {
  expect(await read('iam.agents')).toEqual({
    total: 1,
    agents: [expect.objectContaining({ id: service, name: 'Builds', status: 'active', keys: 4 })],
  })
})
