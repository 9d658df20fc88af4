import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '../../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { type Claims, clientId, type OpenIdProvider, strangersKey, type Tampering } from '../testing/openid-provider.ts'
import { activate, connectOpenId, exchange, type OpenIdConnection, roleId, start } from '../testing/sso-world.ts'

let world: World
let alpha: TestTenant
let directory: OpenIdConnection
let op: OpenIdProvider
let id: string
let at: string
let callbackUri: string

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  directory = await connectOpenId(world, alpha, { group: 'analysts', role: 'security_analyst', mode: 'authoritative' })
  op = directory.op
  id = directory.id
  at = directory.at
  callbackUri = directory.callbackUri
  expectStatus(await activate(world, alpha.admin, id), 200)
})
afterAll(async () => {
  await op.close()
  await world.close()
})
beforeEach(() => {
  op.tampering = {}
})

const person: OpenIdConnection['speak'] = (sub, more) => directory.speak(sub, more)
const answered: OpenIdConnection['answered'] = (url) => directory.answered(url)
const callback: OpenIdConnection['callback'] = (query) => directory.callback(query)

async function signedIn(): Promise<{ client: TestClient; user: { id: string; email: string; role: string } }> {
  const { data } = expectStatus(await exchange(world, await callback(await answered())), 200).body
  return { client: world.stranger.with(data.access_token), user: data.user }
}

it('C07 signs somebody in over the whole code flow, makes the account once, and follows the groups', async () => {
  expect((await world.stranger.get('/auth/sso/discover', { query: { email: 'x@ALPHA.example' } })).body.data).toEqual({
    method: 'sso',
    connection_id: id,
  })
  expect((await world.stranger.get('/auth/sso/discover', { query: { email: 'x@beta.example' } })).body.data).toEqual({
    method: 'password',
  })
  person('ann', { groups: ['analysts'] })
  op.person.amr = ['otp', 'mfa', 'own-word']
  const asked = new URL(await start(world, id))
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email profile groups',
    redirect_uri: callbackUri,
  })
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(asked.searchParams.get(name), name).toMatch(/^[\w-]{43}$/)
  const done = await callback(await answered(asked.href))
  expect(done.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:8080\/sso\/complete\?code=[\w-]{64}$/)
  expect(done.headers['cache-control']).toBe('no-store')
  const tokens = expectStatus(await exchange(world, done), 200).body.data
  expect(tokens.user).toMatchObject({ email: 'ann@alpha.example', role: 'viewer', tenant_id: alpha.id })
  const client = world.stranger.with(tokens.access_token)
  expect((await client.get('/auth/me')).body.data).toMatchObject({
    roles: ['viewer', 'security_analyst'],
    amr: ['sso', 'otp', 'mfa'],
  })
  expect((await client.get('/iam/sessions')).body.data[0]).toMatchObject({ created_via: `sso:${id}`, acr: 'aal2' })
  // The code is spent, and was worthless without the verifier.
  expect((await exchange(world, done)).body.error_code).toBe('AUTH-002')
  person('ann', { groups: [] })
  const again = await signedIn()
  expect(again.user.id).toBe(tokens.user.id)
  expect((await again.client.get('/auth/me')).body.data).toMatchObject({ roles: ['viewer'], amr: ['sso'] })
  // The subject identifies the person, whatever the address is now.
  person('ann', { email: 'admin@alpha.example' })
  expect((await signedIn()).user.id).toBe(tokens.user.id)
  const health = (await alpha.admin.get(at)).body.data.health
  expect(health.last_login_at).not.toBeNull()
})

it('tells what came from the provider: the account, its name and its roles', async () => {
  person('nefer', { groups: ['analysts'], name: 'Nefer' })
  const { user } = await signedIn()
  const at = `/iam/users/${user.id}`
  expect((await alpha.admin.get(at)).body.data).toMatchObject({ managed_by: 'sso', display_name: 'Nefer' })
  const found = await alpha.admin.get('/iam/users', { query: { managed_by: 'sso', q: 'nefer' } })
  expect(found.body.data.map(({ id: one }: { id: string }) => one)).toEqual([user.id])
  const asked = { subject_type: 'user', subject_id: user.id, permission: 'gateway:write' }
  const [{ via }] = (await alpha.admin.get('/iam/permissions', { query: asked })).body.data
  expect(via).toMatchObject([{ role: 'security_analyst', source: 'sso' }])
  const role = await roleId(alpha.admin, 'security_analyst')
  expect((await alpha.admin.get(`/iam/roles/${role}`)).body.data.holders.sso).toBe(1)
  expect((await alpha.admin.patch(at, { display_name: 'Other' })).body.error_code).toBe('IAM-010')
  expectStatus(await alpha.admin.patch(at, { department: 'Ours' }), 200)
  person('nefer', { groups: ['analysts'], name: 'Nefertiti' })
  await signedIn()
  expect((await alpha.admin.get(at)).body.data).toMatchObject({ display_name: 'Nefertiti', department: 'Ours' })
  // An unlinked account is managed locally.
  expectStatus(await alpha.admin.delete(at), 200)
  expect((await alpha.admin.get(at)).body.data.managed_by).toBe('local')
})

it('C07 takes what the provider remembers for what it is, and has it ask anew', async () => {
  const bossId = await roleId(alpha.admin, 'tenant_admin')
  expectStatus(await alpha.admin.patch(at, { jit: { enabled: true, default_role_ids: [bossId] } }), 200)
  person('bea')
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const danger = (client: TestClient) => client.patch(at, { name: 'Renamed' })
  op.tampering = { claims: (claims) => ({ ...claims, auth_time: hourAgo }) }
  const remembered = (await signedIn()).client
  const [session] = (await remembered.get('/iam/sessions', { query: { status: 'active' } })).body.data
  expect(session.auth_time).toBe(new Date(hourAgo * 1000).toISOString())
  expect(Date.parse(session.created_at)).toBeGreaterThan(Date.now() - 60_000)
  expect((await danger(remembered)).body.error_code).toBe('AUTH-009')
  op.tampering = {}
  const asked = new URL(await start(world, id, { fresh: 'true' }))
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({ max_age: '0', prompt: 'login' })
  // The provider itself says when it asked, because it was asked to.
  const done = await exchange(world, await callback(await answered(asked.href)))
  const fresh = world.stranger.with(expectStatus(done, 200).body.data.access_token)
  expectStatus(await danger(fresh), 200)
  const viewer = await roleId(alpha.admin, 'viewer')
  expectStatus(await alpha.admin.patch(at, { jit: { enabled: true, default_role_ids: [viewer] } }), 200)
})

it('C07 spends the code on a wrong verifier, and lets it live for a minute', async () => {
  person('ben')
  const done = await callback(await answered())
  expect((await exchange(world, done, 'w'.repeat(43))).body.error_code).toBe('AUTH-002')
  expect((await exchange(world, done)).body.error_code).toBe('AUTH-002')
  for (const code of ['x', 'A'.repeat(64), Buffer.alloc(48).toString('base64url')])
    expect(
      (await world.stranger.post('/auth/sso/exchange', { code, code_verifier: 'v'.repeat(43) })).body.error_code,
      code,
    ).toBe('AUTH-002')
})

describe('C07 each check of the protocol, broken at the provider', () => {
  const claim = (change: Claims): Tampering => ({ claims: (claims) => ({ ...claims, ...change }) })
  const now = Math.floor(Date.now() / 1000)
  const broken: Record<string, Tampering> = {
    'another nonce': claim({ nonce: 'other' }),
    'no nonce': claim({ nonce: undefined }),
    'another issuer': claim({ iss: 'https://other.example' }),
    'another audience': claim({ aud: 'other' }),
    'several audiences without azp': claim({ aud: [clientId, 'other'] }),
    'another azp': claim({ azp: 'other', aud: [clientId, 'other'] }),
    'another at_hash': claim({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    'an at_hash of another form': claim({ at_hash: 1 }),
    'an end that is past': claim({ exp: now - 120 }),
    'no end': claim({ exp: undefined }),
    'a token from before': claim({ iat: now - 600 }),
    'a token from the future': claim({ iat: now + 600 }),
    'no subject': claim({ sub: undefined }),
    'another key': { key: strangersKey() },
    'an algorithm of shared secrets': { header: (header) => ({ ...header, alg: 'HS256' }) },
    'no signature': {
      tokens: (answer) => ({ ...answer, id_token: `${String(answer.id_token).split('.').slice(0, 2).join('.')}.` }),
    },
    'the algorithm none': {
      tokens: (answer) => ({ ...answer, id_token: `eyJhbGciOiJub25lIn0.${String(answer.id_token).split('.')[1]}.` }),
    },
    'no ID token': { tokens: (answer) => ({ ...answer, id_token: undefined }) },
    'userinfo of somebody else': { userinfo: (claims) => ({ ...claims, sub: 'other' }) },
    'an address that is not verified': { userinfo: (claims) => ({ ...claims, email_verified: false }) },
    'an address verified in other words': { userinfo: (claims) => ({ ...claims, email_verified: 'yes' }) },
    'an address without a word': { userinfo: ({ email_verified: _, ...claims }) => claims },
    'no address': { userinfo: ({ email: _, ...claims }) => claims },
    'an address elsewhere': { userinfo: (claims) => ({ ...claims, email: 'eve@beta.example' }) },
    'an address below the domain': { userinfo: (claims) => ({ ...claims, email: 'eve@sub.alpha.example' }) },
    'an address of two domains': { userinfo: (claims) => ({ ...claims, email: 'eve@beta.example@alpha.example' }) },
  }
  it.each(Object.entries(broken))('%s', async (_name, tampering) => {
    person('eve')
    const query = await answered()
    op.tampering = tampering
    expect((await callback(query)).body).toMatchObject({
      status: 401,
      error_code: 'AUTH-015',
      detail: 'The sign-in assertion was refused.',
    })
    op.tampering = {}
    // It was one try, also for the right answer.
    expect((await callback(query)).body.error_code).toBe('AUTH-015')
  })

  it('none of which made an account', async () => {
    const listed = await alpha.admin.get('/iam/users', { query: { q: 'eve' } })
    expect(listed.body.data).toEqual([])
    expect((await alpha.admin.get(at)).body.data.health.last_error).not.toBeNull()
  })
})

it('C07 refuses answers that belong to no sign-in, to another one, or that say so', async () => {
  person('eve')
  const refused = async (change: Record<string, string | undefined>) => {
    const query = await answered()
    const changed = Object.entries({ ...query, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    return (await callback(Object.fromEntries(changed))).body.error_code
  }
  expect(await refused({ state: 'other' })).toBe('AUTH-015')
  expect(await refused({ state: undefined })).toBe('AUTH-015')
  expect(await refused({ iss: 'https://other.example' })).toBe('AUTH-015')
  expect(await refused({ iss: undefined })).toBe('AUTH-015')
  expect(await refused({ code: 'other' })).toBe('AUTH-015')
  expect(await refused({ code: undefined, error: 'access_denied' })).toBe('AUTH-015')
  // The code of one sign-in with the state of another: PKCE and nonce tell them apart.
  const [first, second] = [await answered(), await answered()]
  expect((await callback({ ...first, code: second.code ?? '' })).body.error_code).toBe('AUTH-015')
})

it('C40 says that the provider failed, and not why, when it does', async () => {
  op.tampering = { discovery: (metadata) => ({ ...metadata, issuer: 'https://other.example' }) }
  const answer = await world.stranger.get(`/auth/sso/${id}/start`, { query: { code_challenge: 'a'.repeat(43) } })
  expect(answer.body).toMatchObject({ status: 502, error_code: 'AUTH-014' })
  const tested = await alpha.admin.post(`${at}/test`, {})
  expect(tested.body.data).toMatchObject({ passed: false, steps: [{ step: 'discovery', passed: false }] })
  op.tampering = {}
  expect((await alpha.admin.post(`${at}/test`, {})).body.data.passed).toBe(true)
})

it('asks for the strength that is required', async () => {
  expectStatus(await alpha.admin.patch(at, { required_acr: ['urn:high'], required_amr: ['mfa', 'hwk'] }), 200)
  const tryAs = async (amr: string[], acr: string) => {
    person('ann')
    Object.assign(op.person, { amr, acr })
    return (await callback(await answered())).status
  }
  expect(await tryAs(['pwd'], 'urn:high')).toBe(401)
  expect(await tryAs(['mfa'], 'urn:low')).toBe(401)
  expect(await tryAs(['pwd', 'mfa'], 'urn:high')).toBe(303)
  expectStatus(await alpha.admin.patch(at, { required_acr: [], required_amr: [] }), 200)
})

it('C07 ends sessions when the provider says so, once per token, and obeys no other', async () => {
  person('cleo')
  const { client } = await signedIn()
  // The provider itself, as its user signs out there.
  await op.signOut()
  expect((await client.get('/auth/me')).status).toBe(401)
  const { client: next } = await signedIn()
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const good = { iss: op.issuer, aud: clientId, iat: now, exp: now + 120, jti: 'j-1', events, sub: 'cleo' }
  const typ = { typ: 'logout+jwt' }
  const post = (token: string | null) =>
    world.program.app.inject({
      method: 'POST',
      url: `/api/v1/auth/sso/${id}/backchannel-logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: token === null ? '' : new URLSearchParams({ logout_token: token }).toString(),
    })
  const bad = {
    'no token': null,
    'another type': op.signed(good),
    'an ID token': op.signed(good, { typ: 'JWT' }),
    'another key': op.signed(good, typ, strangersKey()),
    'a shared secret': op.signed(good, { ...typ, alg: 'HS256' }),
    'the algorithm none': op.signed(good, { ...typ, alg: 'none' }),
    'another issuer': op.signed({ ...good, iss: 'https://other.example' }, typ),
    'another audience': op.signed({ ...good, aud: 'other' }, typ),
    'a nonce': op.signed({ ...good, nonce: 'n' }, typ),
    'no events': op.signed({ ...good, events: undefined }, typ),
    'another event': op.signed({ ...good, events: { other: {} } }, typ),
    'an event that is none': op.signed({ ...good, events: { [Object.keys(events)[0] ?? '']: 1 } }, typ),
    'no jti': op.signed({ ...good, jti: undefined }, typ),
    nobody: op.signed({ ...good, sub: undefined }, typ),
    'too old': op.signed({ ...good, iat: now - 300 }, typ),
    'past its end': op.signed({ ...good, exp: now - 61 }, typ),
  }
  for (const [name, token] of Object.entries(bad)) expect((await post(token)).statusCode, name).toBe(400)
  expect((await next.get('/auth/me')).status).toBe(200)
  const token = op.signed(good, typ)
  expect((await post(token)).statusCode).toBe(200)
  expect((await next.get('/auth/me')).status).toBe(401)
  expect((await post(token)).statusCode).toBe(400)
})

it('C07 follows the provider to new signing keys while the server runs, and believes the old ones no more', async () => {
  person('rotated')
  expect((await signedIn()).user.email).toBe('rotated@alpha.example')
  const old = await op.replaceKey()
  op.tampering = { key: old }
  expect((await callback(await answered())).body.error_code).toBe('AUTH-015')
  op.tampering = { key: old, header: (header) => ({ ...header, kid: 'op-1' }) }
  expect((await callback(await answered())).body.error_code).toBe('AUTH-015')
  op.tampering = {}
  const { client, user } = await signedIn()
  expect(user.email).toBe('rotated@alpha.example')
  expect((await client.get('/auth/me')).status).toBe(200)
  await op.signOut()
  expect((await client.get('/auth/me')).status).toBe(401)
})

it('says at the end of a session where the one at the provider ends, and waits for no provider', async () => {
  person('leaving')
  const { client } = await signedIn()
  const left = expectStatus(await client.post('/auth/logout', {}), 200).body.data
  expect(left).toEqual({
    sessions_ended: 1,
    api_keys_ended: 0,
    end_session_url: `${op.issuer}/session/end?client_id=${clientId}`,
  })
  expect((await client.get('/auth/me')).status).toBe(401)
  const again = await signedIn()
  op.tampering = { discovery: (metadata) => ({ ...metadata, end_session_endpoint: 'javascript:alert(1)' }) }
  expect((await again.client.post('/auth/logout', {})).body.data.end_session_url).toBeNull()
})
