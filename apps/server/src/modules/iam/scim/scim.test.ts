import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { filterReference } from './testing/filters.ts'

let world: OwnWorld
let tenant: TestTenant
let other: TestTenant
let scim: Scim
let foreign: Scim

/** A directory: SCIM addresses, SCIM media type. */
interface Scim {
  readonly client: TestClient
  get(path: string, query?: Readonly<Record<string, string>>): Promise<TestAnswer>
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>
}

function directory(client: TestClient): Scim {
  const url = (path: string) => `/scim/v2${path}`
  return {
    client,
    get: (path, query = {}) => client.send('GET', url(path), { options: { query } }),
    send: (method, path, body, headers = {}) =>
      client.send(method, url(path), {
        body,
        options: {
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
        },
      }),
  }
}

async function keyOf(admin: TestClient, more: object = {}): Promise<Scim> {
  const made = expectStatus(await admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim', ...more }), 201)
  expect(made.body.data).toMatchObject({ kind: 'scim', scopes: [] })
  return directory(world.stranger.with(made.body.data.secret))
}

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('alpha')
  other = await world.tenant('beta')
  scim = await keyOf(tenant.admin)
  foreign = await keyOf(other.admin)
})
afterAll(() => world.close())

let made = 0
async function person(more: object = {}): Promise<TestAnswer['body']> {
  made += 1
  const body = { userName: `person-${made}@alpha.example`, externalId: `ext-${made}`, ...more }
  return expectStatus(await scim.send('POST', '/Users', body), 201).body
}

const patch = (...Operations: readonly unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

const refusal = (answer: TestAnswer) => [answer.status, answer.body.scimType ?? answer.body.error_code]

describe('a key of the kind scim', () => {
  it('opens SCIM and nothing else, and nothing else opens SCIM', async () => {
    expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 200, maxPayloadSize: 1_048_576 },
    })
    expect((await scim.get('/ResourceTypes')).body.Resources.map((one: { id: string }) => one.id)).toEqual([
      'User',
      'Group',
    ])
    expect((await scim.get('/Schemas')).body.totalResults).toBe(3)
    for (const path of ['/iam/users', '/gateway/providers', '/trust/scores/current', '/iam/tenants'])
      expect([path, (await scim.client.get(path)).status]).toEqual([path, 403])
    const plain = expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'Plain', scopes: ['iam:admin'] }), 201)
    for (const client of [tenant.admin, world.stranger.with(plain.body.data.secret)])
      expect((await directory(client).get('/Users')).status).toBe(403)
    expect((await directory(world.stranger).get('/Users')).status).toBe(401)
  })

  it('reads each description where it says it is, and none filtered', async () => {
    for (const list of ['/ResourceTypes', '/Schemas'])
      for (const one of (await scim.get(list)).body.Resources) {
        const { pathname } = new URL(one.meta.location)
        expect(expectStatus(await scim.client.get(pathname), 200).body).toEqual(one)
      }
    expect((await scim.get('/Schemas/urn:nobody')).status).toBe(404)
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas', '/ResourceTypes/User'])
      expect([path, refusal(await scim.get(path, { filter: 'id pr' }))]).toEqual([path, [403, 'IAM-018']])
    expect((await scim.get('/Schemas', { startIndex: '2', count: '1' })).body.totalResults).toBe(3)
  })

  it('is made by administrators, has no scopes and keeps its kind', async () => {
    const ask = async (client: TestClient, body: object) =>
      (await client.post('/iam/api-keys', { name: 'x', ...body })).body.error_code
    expect(await ask(await tenant.as('viewer'), { kind: 'scim' })).toBe('AUTH-004')
    expect(await ask(tenant.admin, { kind: 'scim', scopes: ['iam:read'] })).toBe('IAM-012')
    const listed = expectStatus(await tenant.admin.get('/iam/api-keys', { query: { kind: 'scim' } }), 200).body.data
    expect(listed).toHaveLength(1)
    const rotated = expectStatus(await tenant.admin.post('/iam/api-keys', { replaces_id: listed[0].id }), 201).body.data
    expect(rotated.kind).toBe('scim')
    expect(await ask(tenant.admin, { replaces_id: rotated.id, kind: 'api' })).toBe('IAM-012')
    expect((await tenant.admin.patch(`/iam/api-keys/${rotated.id}`, { scopes: ['iam:read'] })).body.error_code).toBe(
      'IAM-012',
    )
  })

  it('loses what its owner loses', async () => {
    const owner = await tenant.as('tenant_admin')
    const me = expectStatus(await owner.get('/auth/me'), 200).body.data.user
    const theirs = await keyOf(owner)
    expect((await theirs.get('/Users')).status).toBe(200)
    const roles = expectStatus(await tenant.admin.get('/iam/roles', { query: { q: 'viewer' } }), 200).body.data
    expectStatus(await tenant.admin.patch(`/iam/users/${me.id}`, { role_ids: [roles[0].id] }), 200)
    expect(refusal(await theirs.get('/Users'))).toEqual([403, 'AUTH-004'])
  })
})

describe('a person', () => {
  it('is made, found, replaced and patched, and is an account', async () => {
    const ada = await person({
      userName: 'Ada@Alpha.example',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      active: 'True',
      locale: 'en_GB',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Math' },
    })
    expect(ada).toMatchObject({
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      active: true,
      meta: {
        resourceType: 'User',
        version: expect.stringMatching(/^W\/"1-/),
        location: expect.stringMatching(/\/scim\/v2\/Users\/[0-9a-f-]{36}$/),
      },
    })
    const account = expectStatus(await tenant.admin.get(`/iam/users/${ada.id}`), 200).body.data
    expect(account).toMatchObject({
      email: 'Ada@Alpha.example',
      display_name: 'Ada Lovelace',
      locale: 'en-GB',
      department: 'Math',
      status: 'active',
      managed_by: 'scim',
      external_id: ada.externalId,
      role_ids: [],
    })
    const found = await scim.get('/Users', { filter: 'userName eq "ADA@alpha.EXAMPLE"' })
    expect(found.body.Resources.map((one: { id: string }) => one.id)).toEqual([ada.id])
    const replaced = await scim.send('PUT', `/Users/${ada.id}`, { userName: 'ada@alpha.example', externalId: 'e-2' })
    expect(expectStatus(replaced, 200).body).not.toHaveProperty('name')
    const patched = await scim.send('PATCH', `/Users/${ada.id}`, patch({ op: 'Add', path: 'title', value: 'Countess' }))
    expect(expectStatus(patched, 200).body).toMatchObject({ title: 'Countess', externalId: 'e-2' })
    const narrow = await scim.get(`/Users/${ada.id}`, { attributes: 'userName' })
    expect(Object.keys(narrow.body).sort()).toEqual(['id', 'schemas', 'userName'])
    const plain = await scim.get(`/Users/${ada.id}`, { excludedAttributes: 'meta,id,title' })
    expect([plain.body.id, plain.body.meta, plain.body.title]).toEqual([ada.id, undefined, undefined])
  })

  it('keeps its name to itself', async () => {
    const one = await person()
    const two = await person()
    const again = await scim.send('POST', '/Users', { userName: one.userName.toUpperCase() })
    expect(refusal(again)).toEqual([409, 'uniqueness'])
    expect(again.headers['content-type']).toContain('application/scim+json')
    expect(again.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '409' })
    const renamed = await scim.send(
      'PATCH',
      `/Users/${two.id}`,
      patch({ op: 'replace', value: { userName: one.userName } }),
    )
    expect(refusal(renamed)).toEqual([409, 'uniqueness'])
    expect(refusal(await scim.send('POST', '/Users', { userName: 'admin@alpha.example' }))).toEqual([409, 'uniqueness'])
  })

  it('has versions', async () => {
    const { id, meta } = await person()
    const stale = { 'if-match': 'W/"999"' }
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const body =
        method === 'PUT'
          ? { userName: 'x@alpha.example' }
          : method === 'PATCH'
            ? patch({ op: 'add', path: 'title', value: 'x' })
            : undefined
      expect([method, (await scim.send(method, `/Users/${id}`, body, stale)).status]).toEqual([method, 412])
    }
    const current = await scim.send('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'title', value: 'x' }), {
      'if-match': meta.version,
    })
    expect(expectStatus(current, 200).body.meta.version).not.toBe(meta.version)
  })

  it('has one entity tag in header and body, which changes with all that is shown', async () => {
    const { id, meta } = await person()
    const read = (headers: Record<string, string> = {}) => scim.client.get(`/scim/v2/Users/${id}`, { headers })
    const first = await read()
    expect([first.headers.etag, meta.version]).toEqual([first.body.meta.version, first.body.meta.version])
    expect((await scim.get(`/Users/${id}`, { attributes: 'userName' })).headers.etag).toBe(meta.version)
    expect((await read({ 'if-none-match': meta.version })).status).toBe(304)
    const { id: groupId } = (
      await scim.send('POST', '/Groups', { displayName: `Tagged ${id}`, members: [{ value: id }] })
    ).body
    const second = await read({ 'if-none-match': meta.version })
    expect(second.status).toBe(200)
    expect(second.body.groups).toMatchObject([{ value: groupId, type: 'direct' }])
    expect(new URL(second.body.groups[0].$ref).pathname).toBe(`/scim/v2/Groups/${groupId}`)
    const of = (await scim.get(`/Groups/${groupId}`)).body
    expect(of.members).toMatchObject([{ value: id, type: 'User' }])
    expect(new URL(of.members[0].$ref).pathname).toBe(`/scim/v2/Users/${id}`)
    const sent = await scim.send('PUT', `/Groups/${groupId}`, of, { 'if-match': of.meta.version })
    expect(expectStatus(sent, 200).body.members).toEqual(of.members)
  })

  it('that is switched off loses sessions and keys at once, and comes back', async () => {
    const local = expectStatus(await tenant.admin.get('/iam/users', { query: { q: 'viewer@alpha' } }), 200).body.data
    const viewer = local.length > 0 ? await tenant.as('viewer') : await tenant.as('viewer')
    const me = expectStatus(await viewer.get('/auth/me'), 200).body.data.user
    const key = world.stranger.with(
      expectStatus(await viewer.post('/iam/api-keys', { name: 'k', scopes: ['trust:read'] }), 201).body.data.secret,
    )
    expect((await key.get('/auth/me')).status).toBe(200)
    const off = await scim.send('PATCH', `/Users/${me.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
    expect(expectStatus(off, 200).body.active).toBe(false)
    expect([(await viewer.get('/auth/me')).status, (await key.get('/auth/me')).status]).toEqual([401, 401])
    const account = expectStatus(await tenant.admin.get(`/iam/users/${me.id}`), 200).body.data
    expect(account).toMatchObject({ status: 'deactivated', managed_by: 'scim', active_sessions: 0, active_api_keys: 0 })
    const on = await scim.send('PATCH', `/Users/${me.id}`, patch({ op: 'replace', value: { active: true } }))
    expect(expectStatus(on, 200).body.active).toBe(true)
  })

  it('that an administrator suspended is not brought back by its directory', async () => {
    const { id } = await person()
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'suspended', status_reason: 'inquiry' }), 200)
    const on = await scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect(expectStatus(on, 200).body.active).toBe(false)
    // Nor by way of being switched off and on, or taken out and sent again.
    const status = async () => (await tenant.admin.get(`/iam/users/${id}`)).body.data.status
    const off = await scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect([expectStatus(off, 200).body.active, await status()]).toEqual([false, 'deactivated'])
    const again = await scim.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect([expectStatus(again, 200).body.active, await status()]).toEqual([false, 'deactivated'])
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'active' }), 200)
    expect((await scim.get(`/Users/${id}`)).body.active).toBe(true)
  })

  it('that is suspended can be taken out, and comes back as one whom an administrator has to let in', async () => {
    const { id, userName } = await person()
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'suspended', status_reason: 'inquiry' }), 200)
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await tenant.admin.get(`/iam/users/${id}`)).body.data.status).toBe('deactivated')
    expect(expectStatus(await scim.send('POST', '/Users', { userName }), 201).body).toMatchObject({ id, active: false })
  })

  it('that is taken out is gone for the directory, and comes back as the same account', async () => {
    const { id, userName } = await person()
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim.get(`/Users/${id}`)).status).toBe(404)
    expect((await scim.get('/Users', { filter: `userName eq "${userName}"` })).body.totalResults).toBe(0)
    expect((await tenant.admin.get(`/iam/users/${id}`)).body.data.status).toBe('deactivated')
    const back = expectStatus(await scim.send('POST', '/Users', { userName, title: 'Back' }), 201).body
    expect(back).toMatchObject({ id, active: true, title: 'Back' })
  })

  it('is kept by its directory: an administrator cannot change what it says', async () => {
    const { id } = await person({ displayName: 'Kept' })
    expect((await tenant.admin.patch(`/iam/users/${id}`, { display_name: 'Other' })).body.error_code).toBe('IAM-010')
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { display_name: 'Kept' }), 200)
  })

  it('has a manager who is somebody here', async () => {
    const [boss, report] = [await person(), await person()]
    const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const set = (id: string, value: unknown) =>
      scim.send('PATCH', `/Users/${id}`, patch({ op: 'Add', path: `${urn}:manager`, value }))
    expectStatus(await set(report.id, boss.id), 200)
    expect((await tenant.admin.get(`/iam/users/${report.id}`)).body.data.manager_id).toBe(boss.id)
    for (const value of ['nobody', world.root.id, { value: report.id }])
      expect(refusal(await set(report.id, value))).toEqual([400, 'invalidValue'])
  })

  it('of another tenant is not there', async () => {
    const { id } = await person()
    expect((await foreign.get(`/Users/${id}`)).status).toBe(404)
    expect((await foreign.send('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'title', value: 'x' }))).status).toBe(
      404,
    )
    expect((await foreign.get('/Users', { filter: `id eq "${id}"` })).body.totalResults).toBe(0)
  })

  it('C60 leaves an audit entry for every write', async () => {
    const { id } = await person()
    await scim.send('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'title', value: 'x' }))
    await scim.send('DELETE', `/Users/${id}`)
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ action: string; actor_kind: string }>`
      select action, actor_kind from audit_entry where target = ${`user:${id}`} order by id`,
    )
    expect(entries).toEqual(
      ['create', 'change', 'remove'].map((what) => ({ action: `iam.scim.user_${what}`, actor_kind: 'api_key' })),
    )
  })
})

describe('a group', () => {
  const member = (id: string) => ({ value: id })

  it('gives the role of its name once directories may assign it, and takes it back', async () => {
    const { id } = await person()
    const role = expectStatus(
      await tenant.admin.post('/iam/roles', { name: 'Analysts', permissions: ['trust:read'] }),
      201,
    ).body.data
    const group = expectStatus(
      await scim.send('POST', '/Groups', { displayName: 'analysts', members: [member(id)] }),
      201,
    ).body
    const rolesOf = async () => expectStatus(await tenant.admin.get(`/iam/users/${id}`), 200).body.data.role_ids
    expect(await rolesOf()).toEqual([])
    expectStatus(await tenant.admin.patch(`/iam/roles/${role.id}`, { assignable_by_scim: true }), 200)
    expect(await rolesOf()).toEqual([role.id])
    const { holders } = expectStatus(await tenant.admin.get(`/iam/roles/${role.id}`), 200).body.data
    expect(holders).toEqual({ direct: 0, sso: 0, scim: 1 })
    const blocked = await tenant.admin.patch(`/iam/users/${id}`, { role_ids: [(await builtin('viewer')).id] })
    expect(blocked.body.error_code).toBe('IAM-010')
    expectStatus(
      await scim.send('PATCH', `/Groups/${group.id}`, patch({ op: 'remove', path: `members[value eq "${id}"]` })),
      200,
    )
    expect(await rolesOf()).toEqual([])
    expectStatus(
      await scim.send('PATCH', `/Groups/${group.id}`, patch({ op: 'Add', path: 'members', value: [member(id)] })),
      200,
    )
    expect(await rolesOf()).toEqual([role.id])
    expect((await scim.get(`/Users/${id}`)).body.groups).toMatchObject([{ value: group.id, display: 'analysts' }])
    expectStatus(await tenant.admin.delete(`/iam/roles/${role.id}`), 200)
    expect(await rolesOf()).toEqual([])
    expect((await scim.send('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    expect((await scim.get(`/Groups/${group.id}`)).status).toBe(404)
  })

  it('is offered for every role that may be assigned', async () => {
    const viewer = await builtin('viewer')
    expectStatus(await tenant.admin.patch(`/iam/roles/${viewer.id}`, { assignable_by_scim: true }), 200)
    const found = await scim.get('/Groups', { filter: 'displayName eq "Viewer"', excludedAttributes: 'members' })
    expect(found.body.totalResults).toBe(1)
    expect(
      (await tenant.admin.patch(`/iam/roles/${viewer.id}`, { name: 'x', assignable_by_scim: true })).body.error_code,
    ).toBe('IAM-006')
    expect((await tenant.admin.patch(`/iam/roles/${viewer.id}`, { assignable_by_scim: false })).status).toBe(200)
    const taken = await scim.send('POST', '/Groups', { displayName: 'VIEWER' })
    expect(refusal(taken)).toEqual([409, 'uniqueness'])
  })

  it('C14 never leads to the platform, nor beyond what the owner of the key may grant', async () => {
    const operator = await builtin('super_admin', world.root.admin)
    expect(
      (await world.root.admin.patch(`/iam/roles/${operator.id}`, { assignable_by_scim: true })).body.error_code,
    ).toBe('IAM-006')
    const rootScim = await keyOf(world.root.admin)
    expectStatus(await rootScim.send('POST', '/Groups', { displayName: 'super_admin' }), 201)
    const operatorAccount = (await rootScim.get('/Users', { filter: 'userName eq "operator@root.example"' })).body
      .Resources[0]
    expect(
      refusal(
        await rootScim.send(
          'PATCH',
          `/Users/${operatorAccount.id}`,
          patch({ op: 'replace', path: 'active', value: false }),
        ),
      ),
    ).toEqual([403, 'IAM-003'])
    expect(refusal(await rootScim.send('DELETE', `/Users/${operatorAccount.id}`))).toEqual([403, 'IAM-003'])

    // A service account that writes identities and little else answers for a key.
    const narrow = expectStatus(
      await tenant.admin.post('/iam/roles', { name: 'Provisioner', permissions: ['iam:write', 'trust:read'] }),
      201,
    ).body.data
    const service = expectStatus(await tenant.admin.post('/iam/users', { type: 'service', role_ids: [narrow.id] }), 201)
      .body.data
    const bounded = await keyOf(tenant.admin, { owner_id: service.id })
    const strong = expectStatus(
      await tenant.admin.post('/iam/roles', { name: 'Strong', permissions: ['risk:admin'], assignable_by_scim: true }),
      201,
    ).body.data
    const group = (await bounded.get('/Groups', { filter: 'displayName eq "Strong"' })).body.Resources[0]
    const { id } = await person()
    const add = patch({ op: 'add', path: 'members', value: [member(id)] })
    expect(refusal(await bounded.send('PATCH', `/Groups/${group.id}`, add))).toEqual([403, 'IAM-003'])
    expect(refusal(await bounded.send('POST', '/Groups', { displayName: 'x', members: [member(id)] }))).toEqual([
      201,
      undefined,
    ])
    const x = (await bounded.get('/Groups', { filter: 'displayName eq "x"' })).body.Resources[0]
    expect(
      refusal(
        await bounded.send('PATCH', `/Groups/${x.id}`, patch({ op: 'replace', path: 'displayName', value: 'strong' })),
      ),
    ).toEqual([409, 'uniqueness'])
    expectStatus(await scim.send('PATCH', `/Groups/${group.id}`, add), 200)
    expect((await tenant.admin.get(`/iam/users/${id}`)).body.data.role_ids).toEqual([strong.id])
    // A person with more rights than the owner is out of reach: no rename, no deactivation, no removal from the group.
    for (const operation of [
      { op: 'replace', path: 'userName', value: 'mine@alpha.example' },
      { op: 'replace', path: 'active', value: false },
    ])
      expect(refusal(await bounded.send('PATCH', `/Users/${id}`, patch(operation)))).toEqual([403, 'IAM-003'])
    expect(refusal(await bounded.send('DELETE', `/Groups/${group.id}`))).toEqual([403, 'IAM-003'])
  })

  it('keeps the last administrator', async () => {
    const lonely = await world.tenant('gamma')
    const mine = await keyOf(lonely.admin)
    const admin = (await mine.get('/Users', { filter: 'userName eq "admin@gamma.example"' })).body.Resources[0]
    expect(
      refusal(await mine.send('PATCH', `/Users/${admin.id}`, patch({ op: 'replace', path: 'active', value: false }))),
    ).toEqual([409, 'IAM-005'])
  })

  it('has members who are people here', async () => {
    for (const value of ['nobody', world.root.id])
      expect(refusal(await scim.send('POST', '/Groups', { displayName: 'y', members: [{ value }] }))).toEqual([
        400,
        'invalidValue',
      ])
    expect((await scim.get('/Groups', { filter: 'displayName eq "y"' })).body.totalResults).toBe(0)
  })

  async function builtin(name: string, admin = tenant.admin) {
    const roles = expectStatus(await admin.get('/iam/roles', { query: { q: name } }), 200).body.data
    return roles.find((role: { name: string }) => role.name === name)
  }
})

describe('a list', () => {
  it('is paged by index and by cursor, each person once', async () => {
    const all = (await scim.get('/Users', { count: '200' })).body
    const ids = all.Resources.map((one: { id: string }) => one.id)
    expect(all).toMatchObject({ totalResults: ids.length, startIndex: 1, itemsPerPage: ids.length })
    const second = (await scim.get('/Users', { startIndex: '3', count: '2' })).body
    expect(second.Resources.map((one: { id: string }) => one.id)).toEqual(ids.slice(2, 4))
    expect((await scim.get('/Users', { count: '0' })).body).toMatchObject({ totalResults: ids.length, Resources: [] })
    const walked: string[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: TestAnswer['body'] = expectStatus(await scim.get('/Users', { cursor, count: '5' }), 200).body
      walked.push(...page.Resources.map((one: { id: string }) => one.id))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(ids)
    const { nextCursor } = (await scim.get('/Users', { cursor: '', count: '5' })).body
    for (const [client, query] of [
      [foreign, { cursor: nextCursor }],
      [scim, { cursor: nextCursor, filter: 'active eq true' }],
      [scim, { cursor: `${nextCursor}x` }],
      [scim, { cursor: '', startIndex: '2' }],
    ] as const)
      expect(refusal(await client.get('/Users', query))).toEqual([400, 'invalidCursor'])
  })

  it('is asked for in a body as in an address', async () => {
    const search = (path: string, body: object) => scim.send('POST', `${path}/.search`, body)
    const urn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
    const body = { schemas: [urn], filter: 'active eq true', startIndex: 2, count: 3, attributes: ['userName'] }
    const { schemas: _schemas, ...query } = { ...body, startIndex: '2', count: '3', attributes: 'userName' }
    const found = expectStatus(await search('/Users', body), 200).body
    expect(found).toEqual((await scim.get('/Users', query)).body)
    expect(found.itemsPerPage).toBe(3)
    expect(expectStatus(await search('/Groups', {}), 200).body).toEqual((await scim.get('/Groups')).body)
    for (const wrong of [{ count: 'many' }, { attributes: [1] }, { filter: 5 }])
      expect(refusal(await search('/Users', wrong))).toEqual([400, 'invalidValue'])
    expect(refusal(await search('/Users', { filter: 'x' }))).toEqual([400, 'invalidFilter'])
  })

  it('takes less than one for one, and less than none for none', async () => {
    const { totalResults } = (await scim.get('/Users', { count: '0' })).body
    expect((await scim.get('/Users', { startIndex: '-3', count: '-1' })).body).toMatchObject({
      ...{ totalResults, startIndex: 1, itemsPerPage: 0, Resources: [] },
    })
  })

  it('refuses a filter it cannot run', async () => {
    for (const filter of ['userName', 'password eq "x"', Array.from({ length: 600 }, () => 'id pr').join(' or ')])
      expect(refusal(await scim.get('/Users', { filter }))).toEqual([400, 'invalidFilter'])
  })

  it('says of every filter what the documents say', async () => {
    const reference = await filterReference(async (query) => (await scim.get('/Users', query)).body)
    await fc.assert(
      fc.asyncProperty(reference.filters, async (text) => {
        const answer = await scim.get('/Users', { filter: text, count: '200' })
        const found = expectStatus(answer, 200).body.Resources.map((one: { id: string }) => one.id)
        expect([text, found]).toEqual([text, reference.expected(text)])
      }),
      { numRuns: 60 },
    )
  })
})
