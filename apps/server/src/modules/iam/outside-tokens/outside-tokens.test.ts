import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Actor } from '../../../kernel/access/actor.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { roleId } from '../sso/testing/sso-world.ts'
import { bindOutsideToken, outsideBindings, unbindOutsideToken } from './bindings.ts'
import type { OutsideMatch } from './match.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** An issuer on this machine that publishes what `keys` holds. */
interface Issuer {
  readonly url: string
  readonly server: Server
  keys: JWK[]
  named: string
  asked: number
}

let world: World
let tenant: TestTenant
let issuer: Issuer
let pair: KeyPair
let match: OutsideMatch

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('outside')
  issuer = await openIssuer()
  pair = await generateKeyPair('ES256', { extractable: true })
  issuer.keys = [await published(pair, 'one')]
  match = { issuer: issuer.url, claim: 'sub', value: 'agent-7', audience: 'parapet' }
})
afterAll(async () => {
  issuer?.server.close()
  await world?.close()
})

async function openIssuer(): Promise<Issuer> {
  const server = createServer((request, response) => {
    opened.asked += 1
    const metadata = { issuer: opened.named, jwks_uri: `${opened.url}/keys` }
    response.setHeader('content-type', 'application/json')
    if (request.url === '/keys') response.end(JSON.stringify({ keys: opened.keys }))
    else if (request.url === '/.well-known/openid-configuration') response.end(JSON.stringify(metadata))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened: Issuer = { url, server, keys: [], named: url, asked: 0 }
  return opened
}

const published = async ({ publicKey }: KeyPair, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  use: 'sig',
})

interface Said {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Seconds from now. */
  readonly ends?: number
  readonly key?: KeyPair
}

const now = () => Math.floor(Date.now() / 1000)

function token({ claims = {}, header = {}, ends = 600, key = pair }: Said = {}): Promise<string> {
  return new SignJWT({ iss: issuer.url, sub: 'agent-7', aud: 'parapet', exp: now() + ends, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(key.privateKey)
}

const authenticate = async (bearer: string, more: { tenantHeader?: string; takesOutsideTokens?: boolean } = {}) =>
  world.kernel.auth.authenticate({
    ...{ authorization: `Bearer ${bearer}`, apiKey: undefined, ip: '127.0.0.1' },
    ...{ tenantHeader: undefined, takesOutsideTokens: true, ...more },
  })

/** The caller's id, or the code of the refusal. */
const callerOf = (bearer: string, more = {}): Promise<string> =>
  authenticate(bearer, more).then(
    ({ userId }) => userId,
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  )

const within = <T>(at: TestTenant, work: Parameters<typeof world.kernel.db.tenant<T>>[1]) =>
  world.kernel.db.tenant({ tenantId: at.id }, work)
const actorOf = (at: TestTenant): Promise<Actor> => authenticate(at.admin.token, { takesOutsideTokens: false })

async function newAgent({ admin }: TestTenant): Promise<string> {
  const body = { type: 'service', display_name: 'Agent 7', role_ids: [await roleId(admin, 'viewer')] }
  return expectStatus(await admin.post('/iam/users', body), 201).body.data.id
}

async function bind(at: TestTenant, agent: string, to: OutsideMatch = match) {
  const actor = await actorOf(at)
  return within(at, (tx) => bindOutsideToken(world.kernel, tx, actor, { serviceAccountId: agent, match: to }))
}

async function unbind(at: TestTenant, id: string): Promise<void> {
  const actor = await actorOf(at)
  await within(at, (tx) => unbindOutsideToken(world.kernel, tx, actor, id))
}

describe('a token of an outside issuer', () => {
  test('stands for the service account that it is bound to, and no longer once it is not', async () => {
    const agent = await newAgent(tenant)
    const bearer = await token()
    expect(await callerOf(bearer)).toBe('AUTH-002')
    const binding = await bind(tenant, agent)
    const actor = await authenticate(bearer)
    expect(actor).toMatchObject({ kind: 'api_key', userId: agent, agentId: agent, keyId: binding.id, operator: false })
    expect(actor.tenantId).toBe(tenant.id)
    expect(await callerOf(bearer, { takesOutsideTokens: false })).toBe('AUTH-002')
    expect((await within(tenant, (tx) => outsideBindings(tx, agent))).map(({ id }) => id)).toEqual([binding.id])
    await unbind(tenant, binding.id)
    expect(await callerOf(bearer)).toBe('AUTH-002')
    const again = await bind(tenant, agent)
    expect(await callerOf(await token({ claims: { jti: 'fresh' } }))).toBe(agent)
    await unbind(tenant, again.id)
  })

  test('loses with the account, at once', async () => {
    const agent = await newAgent(tenant)
    const { id } = await bind(tenant, agent)
    const bearer = await token()
    expect(await callerOf(bearer)).toBe(agent)
    expectStatus(
      await tenant.admin.patch(`/iam/users/${agent}`, { status: 'suspended', status_reason: 'quarantine' }),
      200,
    )
    expect(await callerOf(bearer)).toBe('AUTH-002')
    await unbind(tenant, id)
    expectStatus(await tenant.admin.patch(`/iam/users/${agent}`, { status: 'active' }), 200)
    expect(await callerOf(bearer)).toBe('AUTH-002')
  })

  test('C01 is refused unless issuer, audience, times, key, type and algorithm are right', async () => {
    const agent = await newAgent(tenant)
    const { id } = await bind(tenant, agent)
    const stranger = await generateKeyPair('ES256', { extractable: true })
    const secret = new TextEncoder().encode(JSON.stringify(issuer.keys[0]))
    const claims = { iss: issuer.url, sub: 'agent-7', aud: 'parapet', exp: now() + 600 }
    const good = await token()
    const [head = '', body = '', tail = ''] = good.split('.')
    const bad: Readonly<Record<string, string>> = {
      'another issuer': await token({ claims: { iss: 'https://issuer.example' } }),
      'another audience': await token({ claims: { aud: 'somebody' } }),
      'no audience': await token({ claims: { aud: undefined } }),
      'another subject': await token({ claims: { sub: 'agent-8' } }),
      'no end': await token({ claims: { exp: undefined } }),
      'not yet': await token({ claims: { nbf: now() + 60 } }),
      'another key': await token({ key: stranger }),
      'a key in the header': await token({ key: stranger, header: { jwk: await published(stranger, 'one') } }),
      'a key id that there is not': await token({ header: { kid: 'other' } }),
      'no key id': await token({ header: { kid: undefined } }),
      'another type': await token({ header: { typ: 'logout+jwt' } }),
      'no signature': new UnsecuredJWT(claims).encode(),
      'a shared secret': await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret),
      'a changed body': `${head}.${body.slice(0, -2)}AA.${tail}`,
      'a line feed': `${good}\n`,
      'four parts': `${good}.${tail}`,
    }
    for (const [what, bearer] of Object.entries(bad)) expect([what, await callerOf(bearer)]).toEqual([what, 'AUTH-002'])
    expect(await callerOf(await token({ ends: -60 }))).toBe('AUTH-003')
    // The issuer's clock may be a few seconds ahead.
    expect(await callerOf(await token({ claims: { nbf: now() + 4, jti: 'ahead' } }))).toBe(agent)
    expect(await callerOf(await token({ claims: { aud: ['other', 'parapet'] }, header: { typ: 'at+jwt' } }))).toBe(
      agent,
    )
    await unbind(tenant, id)
  })

  test('is checked with the keys that its issuer publishes, which not every token asks for', async () => {
    const fresh = await openIssuer()
    const own = { ...match, issuer: fresh.url }
    const agent = await newAgent(tenant)
    await bind(tenant, agent, own)
    const first = await generateKeyPair('ES256', { extractable: true })
    const bearer = (key: KeyPair, kid: string) => token({ key, claims: { iss: fresh.url }, header: { kid } })
    fresh.named = 'https://another.example'
    expect(await callerOf(await bearer(first, 'a'))).toBe('API-009')
    fresh.named = fresh.url
    fresh.keys = [await published(first, 'a')]
    expect(await callerOf(await bearer(first, 'a'))).toBe(agent)
    const asked = fresh.asked
    for (const jti of ['1', '2'])
      expect(await callerOf(await token({ key: first, claims: { iss: fresh.url, jti }, header: { kid: 'a' } }))).toBe(
        agent,
      )
    expect(fresh.asked).toBe(asked)
    // A key that is not known is asked for, but not by every token that names one.
    for (const kid of ['x', 'y', 'z']) expect(await callerOf(await bearer(first, kid))).toBe('AUTH-002')
    expect(fresh.asked - asked).toBeLessThanOrEqual(1)
    fresh.server.close()
  })

  test('that several tenants bound counts in the one that the request names', async () => {
    const other = await world.tenant('outside-other')
    const shared = { ...match, value: 'shared', claim: 'azp' } as const
    const [mine, theirs] = [await newAgent(tenant), await newAgent(other)]
    await bind(tenant, mine, shared)
    const bearer = await token({ claims: { azp: 'shared' } })
    expect(await callerOf(bearer)).toBe(mine)
    await bind(other, theirs, shared)
    const another = await token({ claims: { azp: 'shared', jti: 'another' } })
    expect(await callerOf(another)).toBe('AUTH-002')
    expect(await callerOf(another, { tenantHeader: tenant.id })).toBe(mine)
    expect(await callerOf(another, { tenantHeader: other.id.toUpperCase() })).toBe(theirs)
    expect(await callerOf(another, { tenantHeader: world.kernel.random.uuid() })).toBe('AUTH-002')
  })

  test('makes the program call no address that no binding names', async () => {
    const unasked = await openIssuer()
    expect(await callerOf(await token({ claims: { iss: unasked.url } }))).toBe('AUTH-002')
    expect(unasked.asked).toBe(0)
    unasked.server.close()
  })
})

describe('a binding', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'bound',
      (error: unknown) =>
        error instanceof ProblemError ? [error.code, ...error.parts.flatMap(({ pointer }) => pointer ?? [])] : error,
    )

  test('is one for each match, of a service account, by somebody who may do what it may', async () => {
    const agent = await newAgent(tenant)
    const own = { ...match, value: 'once' }
    await bind(tenant, agent, own)
    expect(await refusal(bind(tenant, agent, own))).toEqual(['IAM-021'])
    const { userId } = await actorOf(tenant)
    expect(await refusal(bind(tenant, userId, { ...match, value: 'person' }))).toEqual(['API-013'])
    const viewer = await tenant.as('viewer')
    const actor = await authenticate(viewer.token, { takesOutsideTokens: false })
    const strong = { type: 'service', display_name: 'Strong', role_ids: [await roleId(tenant.admin, 'tenant_admin')] }
    const { body } = expectStatus(await tenant.admin.post('/iam/users', strong), 201)
    const ask = { serviceAccountId: body.data.id, match: { ...match, value: 'strong' } }
    const refused = within(tenant, (tx) => bindOutsideToken(world.kernel, tx, actor, ask))
    expect(await refusal(refused)).toEqual(['IAM-003'])
  })

  test.each([
    ['issuer', { issuer: 'http://issuer.example' }],
    ['issuer', { issuer: 'https://169.254.169.254' }],
    ['issuer', { issuer: 'not an address' }],
    ['value', { value: '' }],
    ['audience', { audience: 'a'.repeat(256) }],
  ])('with a bad %s is refused by its place', async (member, change) => {
    const agent = await newAgent(tenant)
    expect(await refusal(bind(tenant, agent, { ...match, ...change }))).toEqual(['API-001', `/match/${member}`])
  })
})
