import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { makeSamlProvider } from '../sso/testing/saml-provider.ts'

let world: World
let acme: TestTenant
const ids = { user: '', role: '', key: '', session: '', child: '', connection: '', review: '', admin: '', viewer: '' }
const [past, future] = ['2001-01-01T00:00:00.000Z', '2101-01-01T00:00:00.000Z']

beforeAll(async () => {
  world = await openWorld()
  acme = await world.tenant('acme')
  const { admin } = acme
  const made = async (path: string, body: object): Promise<string> =>
    expectStatus(await admin.post(path, body), 201).body.data.id
  await acme.as('viewer')
  const find = async (path: string, q: string): Promise<string> =>
    expectStatus(await admin.get(path, { query: { q } }), 200).body.data[0].id
  ids.viewer = await find('/iam/roles', 'viewer')
  ids.user = await find('/iam/users', 'viewer@')
  ids.admin = (await admin.get('/auth/me')).body.data.user.id
  ids.session = (await admin.get('/iam/sessions', { query: { user_id: ids.user } })).body.data[0].id
  ids.role = await made('/iam/roles', { name: 'Curator', permissions: ['iam:read'] })
  ids.key = await made('/iam/api-keys', { name: 'robot', scopes: ['iam:read'] })
  ids.child = await made('/iam/tenants', {
    name: 'Child',
    slug: `child-of-${acme.slug}`,
    admin_email: 'a@child.example',
  })
  ids.connection = await made('/iam/sso-connections', {
    name: 'Directory',
    type: 'saml',
    saml: { idp_metadata_xml: (await makeSamlProvider()).metadata },
  })
  const due_at = new Date(Date.now() + 86_400_000).toISOString()
  const review = { name: 'Quarter', reviewer_rule: `user:${ids.user}`, due_at, on_no_answer: 'keep' }
  ids.review = await made('/iam/access-reviews', review)
})
afterAll(() => world.close())

/** Of each filter of each list: a value that finds the row, and one that does not. */
const filters: readonly (readonly [path: string, id: keyof typeof ids, name: string, finds: string, hides: string])[] =
  [
    ['/iam/users', 'user', 'status', 'active', 'suspended'],
    ['/iam/users', 'user', 'role_id', '{viewer}', '{role}'],
    ['/iam/users', 'user', 'type', 'human', 'service'],
    ['/iam/users', 'user', 'managed_by', 'local', 'scim'],
    ['/iam/users', 'user', 'q', 'VIEWER@', 'iewer@'],
    ['/iam/users', 'user', 'last_active_before', future, past],
    ['/iam/users', 'user', 'mfa_enrolled', 'false', 'true'],
    ['/iam/roles', 'role', 'builtin', 'false', 'true'],
    ['/iam/roles', 'role', 'q', 'cur', 'rator'],
    ['/iam/sessions', 'session', 'user_id', '{user}', '{admin}'],
    ['/iam/sessions', 'session', 'ip', '127.0.0.1', '127.0.0.2'],
    ['/iam/sessions', 'session', 'status', 'active', 'revoked'],
    ['/iam/sessions', 'session', 'created_before', future, past],
    ['/iam/api-keys', 'key', 'owner_id', '{admin}', '{user}'],
    ['/iam/api-keys', 'key', 'kind', 'api', 'scim'],
    ['/iam/api-keys', 'key', 'status', 'active', 'rotating'],
    ['/iam/api-keys', 'key', 'expires_before', future, past],
    ['/iam/api-keys', 'key', 'q', 'ROB', 'obot'],
    ['/iam/tenants', 'child', 'status', 'active', 'suspended'],
    ['/iam/tenants', 'child', 'parent_id', '{acme}', '{child}'],
    ['/iam/tenants', 'child', 'q', 'chi', 'ild'],
    ['/iam/sso-connections', 'connection', 'type', 'saml', 'oidc'],
    ['/iam/sso-connections', 'connection', 'status', 'draft', 'active'],
    ['/iam/access-reviews', 'review', 'status', 'open', 'closed'],
    ['/iam/access-reviews', 'review', 'due_before', future, past],
  ]

test.each(filters)('%s: %s by %s', async (path, id, name, finds, hides) => {
  const known = { ...ids, acme: acme.id }
  const found = async (value: string): Promise<boolean> => {
    const filled = value.replace(/\{(\w+)\}/, (_, key) => Reflect.get(known, key))
    const { data } = expectStatus(await acme.admin.get(path, { query: { [name]: filled, limit: '200' } }), 200).body
    return data.some((row: { id: string }) => row.id === ids[id])
  }
  expect([await found(finds), await found(hides)]).toEqual([true, false])
})

test('keys are found by how long nobody has used them', async () => {
  const query = async (unused_since: string) => {
    const { data } = expectStatus(await acme.admin.get('/iam/api-keys', { query: { unused_since } }), 200).body
    return data.some((row: { id: string }) => row.id === ids.key)
  }
  expect(await query(past)).toBe(true)
  await world.kernel.db.tenant({ tenantId: acme.id }, (tx) =>
    tx.execute(sql`update iam_api_key set last_used_at = now() where id = ${ids.key}`),
  )
  expect([await query(past), await query(future)]).toEqual([false, true])
})
