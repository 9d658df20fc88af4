import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { makeSamlProvider, type SamlPerson, type SamlProvider } from '../testing/saml-provider.ts'
import { activate, answerTxt, exchange, roleId, start } from '../testing/sso-world.ts'
import { warnOfCertificates } from './jobs.ts'

let world: OwnWorld
let alpha: TestTenant
let idp: SamlProvider
let analyst: string
let tenantAdmin: string

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  idp = await makeSamlProvider()
  analyst = await roleId(alpha.admin, 'security_analyst')
  tenantAdmin = await roleId(alpha.admin, 'tenant_admin')
})
afterAll(() => world.close())

const list = '/iam/sso-connections'
const draft = (more: object = {}) => ({
  name: 'A directory',
  type: 'saml',
  saml: { idp_metadata_xml: idp.metadata },
  ...more,
})

async function make(more: object = {}, by: TestClient = alpha.admin) {
  return expectStatus(await by.post(list, draft(more)), 201).body.data
}

async function channels(tenant: TestTenant): Promise<readonly { channel: string; data: Record<string, unknown> }[]> {
  return world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.query(sql<{ channel: string; data: Record<string, unknown> }>`
      select channel, data from event_log where channel like 'iam.sso%' or channel like 'iam.break%' order by position`),
  )
}

async function respond(id: string, person: SamlPerson) {
  const metadata = (await world.stranger.get(`/auth/sso/${id}/metadata`)).text
  const { id: requestId } = await idp.readRequest(metadata, await start(world, id))
  const xml = await idp.respond(metadata, { requestId, person })
  const answer = await world.program.app.inject({
    method: 'POST',
    url: `/api/v1/auth/sso/${id}/callback`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString(),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: answer.payload,
    body: null,
  }
}

async function lastError(id: string, by = alpha.admin): Promise<string> {
  return (await by.get(`${list}/${id}`)).body.data.health.last_error
}

it('C16 C51 keeps a client secret to itself and asks for it again when the issuer changes', async () => {
  const oidc = { issuer: 'https://idp.example', client_id: 'parapet', client_secret: 'canary-of-the-client' }
  const answer = await alpha.admin.post(list, { name: 'OIDC', type: 'oidc', oidc })
  const { id, ...made } = expectStatus(answer, 201).body.data
  expect(made.oidc).toEqual({
    issuer: oidc.issuer,
    client_id: 'parapet',
    scopes: ['openid', 'email', 'profile'],
    claims: {},
    client_secret_set: true,
  })
  expect(made.service_provider).toMatchObject({
    redirect_uri: `http://127.0.0.1:8080/api/v1/auth/sso/${id}/callback`,
    entity_id: null,
  })
  expect(answer.text + (await alpha.admin.get(list)).text).not.toContain('canary')
  const stored = await world.kernel.db.read(
    alpha.id,
    sql<{ client_secret: Uint8Array }>`select client_secret from iam_sso_connection where id = ${id}`,
  )
  expect(Buffer.from(stored[0]?.client_secret ?? []).includes('canary')).toBe(false)
  const at = `${list}/${id}`
  const elsewhere = { issuer: 'https://other.example' }
  expect((await alpha.admin.patch(at, { oidc: elsewhere })).body).toMatchObject({ status: 422, error_code: 'IAM-013' })
  expectStatus(await alpha.admin.patch(at, { oidc: { ...elsewhere, client_secret: 'another' } }), 200)
  expectStatus(await alpha.admin.patch(at, { oidc: { issuer: 'https://other.example/realm' } }), 200)
  expectStatus(await alpha.admin.delete(at), 200)
  expect((await alpha.admin.get(at)).status).toBe(404)
})

it('refuses what cannot work, with the place it stands in', async () => {
  const refused: readonly (readonly [object, string, number, string])[] = [
    [{ type: 'oidc', saml: {} }, 'IAM-013', 422, '/saml'],
    [{ type: 'oidc', saml: undefined }, 'IAM-013', 422, '/oidc'],
    [
      { type: 'oidc', saml: undefined, oidc: { issuer: 'https://169.254.169.254', client_id: 'x' } },
      'IAM-013',
      422,
      '/oidc/issuer',
    ],
    [
      { type: 'oidc', saml: undefined, oidc: { issuer: 'http://idp.example:22/x?y', client_id: 'x' } },
      'IAM-013',
      422,
      '/oidc/issuer',
    ],
    [{ saml: { entity_id: 'x' } }, 'IAM-013', 422, '/saml'],
    [
      { saml: { entity_id: 'x', sso_url: 'javascript:alert(1)', certificates: [idp.certificate] } },
      'IAM-013',
      422,
      '/saml/sso_url',
    ],
    [
      { saml: { entity_id: 'x', sso_url: 'https://x.example', certificates: ['AAAA'] } },
      'IAM-013',
      422,
      '/saml/certificates/0',
    ],
    [{ saml: { idp_metadata_url: 'http://10.0.0.1/x' } }, 'IAM-013', 422, '/saml/idp_metadata_url'],
    [{ domains: ['no domain'] }, 'API-001', 400, '/domains'],
    [{ required_amr: ['mfa'] }, 'IAM-013', 422, ''],
    [{ enforced: true }, 'IAM-013', 422, ''],
    [
      { jit: { enabled: true, default_role_ids: ['01890000-0000-7000-8000-000000000000'] } },
      'API-001',
      400,
      '/role_ids/0',
    ],
    [{ break_glass_user_ids: ['01890000-0000-7000-8000-000000000000'] }, 'API-001', 400, '/break_glass_user_ids/0'],
  ]
  for (const [more, error_code, status, pointer] of refused) {
    const { body } = await alpha.admin.post(list, draft(more))
    expect([body.error_code, body.status, body.errors[0].pointer ?? ''], JSON.stringify(more)).toEqual([
      error_code,
      status,
      pointer,
    ])
  }
  const superAdmin = await roleId(alpha.admin, 'super_admin')
  const gives = { group_mappings: [{ group: 'x', role_ids: [superAdmin], mode: 'add' }] }
  expect((await alpha.admin.post(list, draft(gives))).body.error_code).toBe('IAM-003')
})

it('asks for fresh authentication, which a key never is', async () => {
  const key = expectStatus(await alpha.admin.post('/iam/api-keys', { name: 'k', scopes: ['iam:admin'] }), 201).body.data
    .secret
  const { id } = await make()
  const by = world.stranger.with(key)
  for (const answer of [
    await by.post(list, draft()),
    await by.patch(`${list}/${id}`, { name: 'x' }),
    await by.delete(`${list}/${id}`),
  ])
    expect(answer.body.error_code).toBe('AUTH-009')
  expectStatus(await alpha.admin.delete(`${list}/${id}`), 200)
})

it('proves domains by the DNS, gives each to one connection, and lets nobody in before activation', async () => {
  const { id, domains, status } = await make({ domains: ['Alpha.EXAMPLE', 'münchen.example'] })
  const at = `${list}/${id}`
  expect([status, domains.map(({ domain }: { domain: string }) => domain)]).toEqual([
    'draft',
    ['alpha.example', 'xn--mnchen-3ya.example'],
  ])
  const query = { code_challenge: 'a'.repeat(43) }
  expect((await world.stranger.get(`/auth/sso/${id}/start`, { query })).status).toBe(404)
  expect((await alpha.admin.patch(at, { status: 'active' })).body.error_code).toBe('IAM-014')
  expect((await alpha.admin.patch(at, { status: 'disabled' })).body.error_code).toBe('IAM-004')
  answerTxt(world, {})
  expect((await alpha.admin.patch(at, { verify_domain: 'alpha.example' })).body.error_code).toBe('IAM-014')
  answerTxt(world, { [domains[0].txt_record.name]: 'parapet-domain-verification=other' })
  expect((await alpha.admin.patch(at, { verify_domain: 'alpha.example' })).body.error_code).toBe('IAM-014')
  expect((await alpha.admin.patch(at, { verify_domain: 'other.example' })).body.error_code).toBe('API-001')
  const first = expectStatus(await activate(world, alpha.admin, id), 200).body.data
  expect(first.status).toBe('active')
  expect((await world.stranger.get(`/auth/sso/${id}/start`, { query })).status).toBe(303)
  const found = () => world.stranger.get('/auth/sso/discover', { query: { email: 'nobody@alpha.example' } })
  expect((await found()).body.data).toEqual({ method: 'sso', connection_id: id })
  // Another tenant proves the same name with its own record, and comes too late.
  const beta = await world.tenant('beta')
  const other = await make({ domains: ['alpha.example'] }, beta.admin)
  const [{ txt_record }] = other.domains
  expect(txt_record.value).not.toBe(domains[0].txt_record.value)
  answerTxt(world, { [txt_record.name]: txt_record.value })
  expect((await beta.admin.patch(`${list}/${other.id}`, { verify_domain: 'alpha.example' })).body.error_code).toBe(
    'IAM-014',
  )
  const stale = { headers: { 'if-match': '"1.0"' } }
  expect((await alpha.admin.patch(at, { name: 'New' }, stale)).status).toBe(412)
  expectStatus(await alpha.admin.patch(at, { status: 'disabled' }), 200)
  expect((await found()).body.data).toEqual({ method: 'password' })
  expectStatus(await alpha.admin.delete(at), 200)
  expectStatus(await beta.admin.patch(`${list}/${other.id}`, { verify_domain: 'alpha.example' }), 200)
  expectStatus(await beta.admin.delete(`${list}/${other.id}`), 200)
  await expect
    .poll(async () => (await channels(alpha)).map(({ channel }) => channel))
    .toContain('iam.sso_connection.activated')
  const told = (await channels(alpha)).find(({ channel }) => channel === 'iam.sso_connection.activated')
  expect(told?.data).toMatchObject({
    connection_id: id,
    actor_id: first.activated_by,
    administrator_ids: [first.activated_by],
  })
})

it('C14 links an account only where everything allows it, and lets nobody in who is greater than the activator', async () => {
  const invited = async (email: string, roles: string[]) => {
    const body = { email, role_ids: roles, delivery: 'password', password }
    return expectStatus(await alpha.admin.post('/iam/users', body), 201).body.data.id as string
  }
  const viewer = await roleId(alpha.admin, 'viewer')
  const small = await invited('small@alpha.example', [viewer])
  await invited('great@alpha.example', [tenantAdmin])
  // A person who only administers accounts.
  const limited = expectStatus(
    await alpha.admin.post('/iam/roles', {
      name: 'Accounts',
      permissions: [
        'iam:admin',
        'trust:read',
        'gateway:read',
        'aegis:read',
        'compliance:read',
        'risk:read',
        'resilience:read',
        'svc-ai:read',
        'platform:read',
        'cybertwins:read',
        'data-gov:read',
      ],
    }),
    201,
  ).body.data.id
  await invited('limited@alpha.example', [limited])
  const asLimited = await signInFresh('limited@alpha.example')
  expect(
    (await asLimited.post(list, draft({ jit: { enabled: true, default_role_ids: [analyst] } }))).body.error_code,
  ).toBe('IAM-003')
  const { id } = await make({ domains: ['alpha.example'] }, asLimited)
  const at = `${list}/${id}`
  expectStatus(await activate(world, asLimited, id), 200)
  const tryAs = async (name: string) =>
    (await respond(id, { nameId: name, email: `${name}@alpha.example`, groups: ['analysts'] })).status
  const change = async (by: TestClient, body: object) => expectStatus(await by.patch(at, body), 200)

  expect(await tryAs('small')).toBe(401)
  expect(await lastError(id)).toContain('verified')
  await change(asLimited, { email_trusted: true })
  expect(await tryAs('small')).toBe(401)
  expect(await lastError(id)).toContain('not linked')
  await change(asLimited, { link_policy: 'verified_domain' })
  expect(await tryAs('great')).toBe(401)
  expect(await lastError(id)).toContain('IAM-003')
  expect(await tryAs('nobody')).toBe(401)
  expect(await lastError(id)).toContain('no account')
  const done = await exchange(world, await respond(id, { nameId: 'small', email: 'small@alpha.example', groups: [] }))
  expect(done.body.data.user.id).toBe(small)

  // Roles from groups are limited by the activator's rights too, and so is a person who has gained rights since.
  expect(
    (await asLimited.patch(at, { group_mappings: [{ group: 'analysts', role_ids: [analyst], mode: 'add' }] })).body
      .error_code,
  ).toBe('IAM-003')
  expectStatus(await alpha.admin.patch(`/iam/users/${small}`, { role_ids: [tenantAdmin] }), 200)
  expect(await tryAs('small')).toBe(401)
  expectStatus(await alpha.admin.patch(at, { status: 'active' }), 200)
  expect(await tryAs('small')).toBe(303)
  // Once the activator is gone, so is what they could give.
  await change(asLimited, { link_policy: 'never' })
  const limitedId = (await asLimited.get('/auth/me')).body.data.user.id
  expectStatus(await alpha.admin.delete(`/iam/users/${limitedId}`), 200)
  expect(await tryAs('small')).toBe(401)
  expect(await lastError(id)).toContain('activated')
  // Accounts that end lose their link.
  expectStatus(await alpha.admin.patch(at, { status: 'active' }), 200)
  expectStatus(await alpha.admin.delete(`/iam/users/${small}`), 200)
  const links = await world.kernel.db.read(alpha.id, sql`select 1 from iam_sso_identity where user_id = ${small}`)
  expect(links).toHaveLength(0)
  expectStatus(await alpha.admin.delete(at), 200)
})

/** Signs in a person whose first password was set by another person. */
async function signInFresh(email: string): Promise<TestClient> {
  const first = await world.signIn(email, alpha.id)
  const next = `${password} changed`
  expectStatus(await first.post('/auth/password', { current_password: password, new_password: next }), 200)
  const headers = { 'x-tenant-id': alpha.id }
  const { data } = expectStatus(
    await world.stranger.post('/auth/login', { email, password: next }, { headers }),
    200,
  ).body
  return world.stranger.with(data.access_token)
}

it('says who would have no way in before it is deleted, and ends their sessions', async () => {
  const jit = { enabled: true, default_role_ids: [await roleId(alpha.admin, 'viewer')] }
  const { id } = await make({ domains: ['alpha.example'], email_trusted: true, jit })
  expectStatus(await activate(world, alpha.admin, id), 200)
  const dora = await exchange(world, await respond(id, { nameId: 'dora', email: 'dora@alpha.example', groups: [] }))
  const client = world.stranger.with(dora.body.data.access_token)
  expect((await alpha.admin.delete(`${list}/${id}`)).body).toMatchObject({ status: 409, error_code: 'IAM-007' })
  expect((await client.get('/auth/me')).status).toBe(200)
  const removed = await alpha.admin.delete(`${list}/${id}`, { query: { force: 'true' } })
  expect(removed.body.data).toEqual({ id, deleted: true, users_unlinked: 1, keys_revoked: 0 })
  expect((await client.get('/auth/me')).status).toBe(401)
})

it('takes no password where single sign-on is enforced, but for emergencies, and then raises an alarm', async () => {
  const adminId = (await alpha.admin.get('/auth/me')).body.data.user.id
  const { id } = await make({ domains: ['alpha.example'], enforced: true, break_glass_user_ids: [adminId] })
  const login = (email: string, secret: string, headers = {}) =>
    world.stranger.post('/auth/login', { email, password: secret }, { headers })
  const viewer = await alpha.as('viewer')
  expect((await login('viewer@alpha.example', password)).status).toBe(200)
  expectStatus(await activate(world, alpha.admin, id), 200)
  for (const [email, secret] of [
    ['viewer@alpha.example', password],
    ['nobody@alpha.example', 'x'],
    ['admin@alpha.example', 'wrong'],
  ])
    expect((await login(email ?? '', secret ?? '')).body, email).toMatchObject({ status: 403, error_code: 'AUTH-013' })
  expect((await viewer.get('/auth/me')).status).toBe(200)
  // Another tenant's account of this address is none of this tenant's business.
  expect((await login('viewer@alpha.example', password, { 'x-tenant-id': world.root.id })).body.error_code).toBe(
    'AUTH-007',
  )
  expect((await login('admin@alpha.example', password)).status).toBe(200)
  await expect.poll(async () => (await channels(alpha)).map(({ channel }) => channel)).toContain('iam.break_glass.used')
  expectStatus(await alpha.admin.patch(`${list}/${id}`, { status: 'disabled' }), 200)
  expect((await login('viewer@alpha.example', password)).status).toBe(200)
  expectStatus(await alpha.admin.delete(`${list}/${id}`), 200)
})

it('warns of certificates that end soon, once a week', async () => {
  const { id, certificate_expires_at, health } = await make({ domains: ['alpha.example'] })
  expect(health.certificate_days_left).toBeGreaterThan(390)
  expect(Date.parse(certificate_expires_at)).toBeGreaterThan(Date.now())
  expectStatus(await activate(world, alpha.admin, id), 200)
  const warned = (days: number) => {
    const now = Date.now() + days * 86_400_000
    const kernel = {
      ...world.kernel,
      clock: { ...world.kernel.clock, now: () => now, iso: () => new Date(now).toISOString() },
    }
    return world.kernel.db.tenant({ tenantId: alpha.id }, (tx) => warnOfCertificates(kernel, tx))
  }
  expect([await warned(0), await warned(371), await warned(372), await warned(379)]).toEqual([0, 1, 0, 1])
  const tested = await alpha.admin.post(`${list}/${id}/test`, { mode: 'metadata' })
  expect(tested.body.data).toMatchObject({
    passed: true,
    steps: [
      { step: 'certificates', passed: true },
      { step: 'metadata', passed: true },
    ],
  })
})
