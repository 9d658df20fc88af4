import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { makeSamlProvider } from '../sso/testing/saml-provider.ts'
import { activate } from '../sso/testing/sso-world.ts'

let world: World
let tenant: TestTenant
let connection: string
let metadata: string

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('company')
  metadata = (await makeSamlProvider()).metadata
  connection = await connect(['company.example'])
  expectStatus(await activate(world, tenant.admin, connection), 200)
})
afterAll(() => world.close())

async function connect(domains: readonly string[]): Promise<string> {
  const body = { name: 'Directory', type: 'saml', saml: { idp_metadata_xml: metadata }, domains }
  return expectStatus(await tenant.admin.post('/iam/sso-connections', body), 201).body.data.id
}
const make = (more: object) => tenant.admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim', ...more })
const keyOf = async (more: object) => expectStatus(await make(more), 201).body.data
const send = (secret: string, method: 'POST' | 'PATCH', path: string, body: object) =>
  world.stranger.with(secret).send(method, `/scim/v2${path}`, {
    body,
    options: { headers: { 'content-type': 'application/scim+json' } },
  })
const rename = (userName: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'userName', value: userName }],
})

test('a directory of a connection names people in the domains the connection has proven, and nobody else', async () => {
  const { secret, sso_connection_id } = await keyOf({ sso_connection_id: connection })
  expect(sso_connection_id).toBe(connection)
  const ada = expectStatus(await send(secret, 'POST', '/Users', { userName: 'ada@company.example' }), 201).body.id
  const refused = await send(secret, 'POST', '/Users', { userName: 'eve@elsewhere.example' })
  expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue'])
  expect((await send(secret, 'PATCH', `/Users/${ada}`, rename('ada@elsewhere.example'))).status).toBe(400)
  expectStatus(await send(secret, 'PATCH', `/Users/${ada}`, rename('lovelace@company.example')), 200)
  // A key of no connection speaks for the whole tenant, as before.
  const free = await keyOf({})
  const bob = expectStatus(await send(free.secret, 'POST', '/Users', { userName: 'bob@elsewhere.example' }), 201).body
    .id
  // A person who already has an address elsewhere keeps it.
  const title = { ...rename(''), Operations: [{ op: 'add', path: 'title', value: 'Engineer' }] }
  expectStatus(await send(secret, 'PATCH', `/Users/${bob}`, title), 200)
})

test('a domain that is claimed and not proven is none', async () => {
  const { secret } = await keyOf({ sso_connection_id: await connect(['claimed.example']) })
  expect((await send(secret, 'POST', '/Users', { userName: 'eve@claimed.example' })).status).toBe(400)
})

test('only a key of the kind scim has a connection, and the keys that replace it keep it', async () => {
  const wrong = await make({ kind: 'api', scopes: ['iam:read'], sso_connection_id: connection })
  expect(wrong.body.error_code).toBe('IAM-012')
  expect((await make({ sso_connection_id: tenant.id })).status).toBe(404)
  const { id } = await keyOf({ sso_connection_id: connection })
  expect((await keyOf({ replaces_id: id })).sso_connection_id).toBe(connection)
  const other = await connect([])
  const second = await keyOf({ sso_connection_id: connection })
  expect((await make({ replaces_id: second.id, sso_connection_id: other })).body.error_code).toBe('IAM-012')
})

test('the keys of a connection are found by it and end with it', async () => {
  const own = await connect([])
  const [first, second] = [await keyOf({ sso_connection_id: own }), await keyOf({ sso_connection_id: own })]
  const query = { sso_connection_id: own }
  const listed = async () => expectStatus(await tenant.admin.get('/iam/api-keys', { query }), 200).body.data
  expect((await listed()).map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort())
  expect((await world.stranger.with(first.secret).get('/scim/v2/Users')).status).toBe(200)
  const removed = expectStatus(await tenant.admin.delete(`/iam/sso-connections/${own}`), 200).body.data
  expect(removed).toMatchObject({ deleted: true, keys_revoked: 2 })
  expect((await world.stranger.with(first.secret).get('/scim/v2/Users')).status).toBe(401)
  expect(await listed()).toMatchObject([
    { revoked_reason: 'connection_deleted' },
    { revoked_reason: 'connection_deleted' },
  ])
})
