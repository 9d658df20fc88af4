import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accept,
  expectStatus,
  type OwnWorld,
  openWorld,
  password,
  type TestTenant,
} from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { accountDigest } from '../guessing/guard.ts'
import { hashCost } from '../passwords/hashing.ts'
import type { IamServices } from '../services/iam-services.ts'

let world: OwnWorld
let tenant: TestTenant
let viewerRole: string

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  tenant = await world.tenant('acme')
  const roles = (await tenant.admin.get('/iam/roles?builtin=true')).body.data
  viewerRole = roles.find((role: { name: string }) => role.name === 'viewer').id
})
afterAll(() => world.close())

let addresses = 0
/** A caller at an address of its own, so that failures of one test do not count in another. */
function from(ip = `198.51.${Math.floor(++addresses / 200)}.${addresses % 200}`) {
  return { headers: { 'x-forwarded-for': ip } }
}

async function person(email: string): Promise<string> {
  const made = await tenant.admin.post('/iam/users', { email, role_ids: [viewerRole] })
  await accept(world.stranger, made.body.data.invitation_url)
  return made.body.data.id
}

const login = (email: string, secret = password, options = from()) =>
  world.stranger.post('/auth/login', { email, password: secret }, options)

const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

/** As if 99 tries in a row had failed, with their waits obeyed. */
function failedInARow(tenantId: string, email: string) {
  const digest = accountDigest(world.kernel, tenantId, email)
  return inTenant(sql`
    insert into iam_login_guard (digest, consecutive, updated_at) values (${digest}, 99, now())
    on conflict (digest) do update set consecutive = 99`)
}

describe('a sign-in', () => {
  test('answers both tokens and who it is', async () => {
    const id = await person('ada@acme.example')
    const { status, body } = await login(' ADA@acme.example'.trim())
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      user: { id, email: 'ada@acme.example', role: 'viewer', tenant_id: tenant.id },
    })
    const claims = JSON.parse(Buffer.from(body.data.access_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ sub: id, tid: tenant.id, role: 'viewer', amr: ['pwd'] })
    expect(claims.permissions).not.toContain('iam:read')
  })

  test('goes to the named tenant, or to the one signed in to last', async () => {
    const other = await world.tenant('umbra')
    await person('both@acme.example')
    const roles = (await other.admin.get('/iam/roles')).body.data
    const role = roles.find((candidate: { name: string }) => candidate.name === 'auditor').id
    const made = await other.admin.post('/iam/users', { email: 'both@acme.example', role_ids: [role] })
    await accept(world.stranger, made.body.data.invitation_url)
    const named = { headers: { ...from().headers, 'x-tenant-id': other.id } }
    expect((await login('both@acme.example', password, named)).body.data.user.role).toBe('auditor')
    expect((await login('both@acme.example')).body.data.user.role).toBe('auditor')
    const back = { headers: { ...from().headers, 'x-tenant-id': tenant.id } }
    expect((await login('both@acme.example', password, back)).body.data.user.role).toBe('viewer')
    expect((await login('both@acme.example')).body.data.user.role).toBe('viewer')
  })

  test('C04 rewrites a hash of another cost', async () => {
    const id = await person('old@acme.example')
    const pepper = world.kernel.platformKeys.derive('password-pepper')
    const cheap = await hash(password, { ...hashCost, timeCost: 1, secret: pepper })
    await inTenant(sql`update iam_user set password_hash = ${cheap} where id = ${id}`)
    expect((await login('old@acme.example')).status).toBe(200)
    const [row] = await inTenant(sql`select password_hash from iam_user where id = ${id}`)
    expect(String(row?.password_hash)).toContain('m=19456,t=2,p=1')
    expect((await login('old@acme.example')).status).toBe(200)
  })

  test('C04 goes on with the password after the pepper was replaced, and hashes it anew once', async () => {
    const email = 'pepper@acme.example'
    await person(email)
    const hashOf = async () => {
      const [row] = await world.kernel.db.read(
        tenant.id,
        sql<{ hash: string }>`select password_hash as hash from iam_user where email_key = ${email}`,
      )
      return row?.hash ?? ''
    }
    const before = await hashOf()
    expect(before).toMatch(/^\$argon2id\$/)
    const rotation = { purpose: 'password_pepper' }
    expect((await tenant.admin.post('/admin/keys/rotate', rotation)).body.error_code).toBe('AUTH-004')
    const { keys } = expectStatus(await world.operator.post('/admin/keys/rotate', rotation), 200).body.data
    expect(keys.map(({ kid, status }: { kid: string; status: string }) => [kid, status])).toEqual([
      ['0', 'retiring'],
      ['1', 'active'],
    ])
    await world.signIn(email, tenant.id)
    const after = await hashOf()
    expect(after).toMatch(/^pepper:1:\$argon2id\$/)
    await world.signIn(email, tenant.id)
    expect(await hashOf()).toBe(after)
  })

  test('ends the oldest session where there would be more than twenty', async () => {
    const id = await person('busy@acme.example')
    const first = (await login('busy@acme.example')).body.data.access_token
    for (let count = 0; count < 20; count += 1) await login('busy@acme.example')
    const active = (await tenant.admin.get('/iam/sessions', { query: { user_id: id, status: 'active' } })).body.meta
      .pagination.total_count
    expect(active).toBe(20)
    expect((await world.stranger.with(first).get('/auth/me')).body.error_code).toBe('AUTH-002')
  })
})

describe('a refusal', () => {
  test('C05 is the same for unknown, wrong, invited, suspended, locked and deactivated accounts and for another tenant', async () => {
    await person('known@acme.example')
    await tenant.admin.post('/iam/users', { email: 'invited@acme.example', role_ids: [viewerRole] })
    for (const status of ['suspended', 'locked', 'deactivated']) {
      const id = await person(`${status}@acme.example`)
      await inTenant(sql`update iam_user set status = ${status} where id = ${id}`)
    }
    const elsewhere = { headers: { ...from().headers, 'x-tenant-id': world.root.id } }
    const nonsense = { headers: { ...from().headers, 'x-tenant-id': 'not-a-tenant' } }
    const answers = await Promise.all([
      login('nobody@acme.example'),
      login('known@acme.example', 'wrong'),
      login('invited@acme.example'),
      login('suspended@acme.example'),
      login('locked@acme.example'),
      login('deactivated@acme.example'),
      login('known@acme.example', password, elsewhere),
      login('known@acme.example', password, nonsense),
    ])
    const plain = answers.map(({ status, body }) => {
      const { request_id: _id, timestamp: _at, meta: _meta, ...rest } = body
      return JSON.stringify({ status, rest })
    })
    expect(new Set(plain).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ status: 401, error_code: 'AUTH-007' })
  })

  test('is reported once a minute and account, with a count and without an address', async () => {
    const id = await person('watched@acme.example')
    for (let tries = 0; tries < 3; tries += 1) await login('watched@acme.example', 'wrong')
    const iam = world.program.assembled.modules.servicesOf('iam') as IamServices
    await iam.failures.flush()
    const events =
      await inTenant(sql`select data from outbox where subject = ${`user/${id}`} and channel = 'iam.login.failed'
      union all select data from event_log where subject = ${`user/${id}`} and channel = 'iam.login.failed'`)
    expect(events.map(({ data }) => data)).toEqual([expect.objectContaining({ user_id: id, attempts: 3 })])
    expect(JSON.stringify(events)).not.toContain('watched')
  })
})

describe('C06 guessing', () => {
  test('an account waits after the fifth failure, right password or not, known or not', async () => {
    await person('target@acme.example')
    for (const email of ['target@acme.example', 'ghost@acme.example']) {
      for (let tries = 0; tries < 5; tries += 1) expect((await login(email, 'wrong')).status).toBe(401)
      const blocked = await login(email)
      expect(blocked.body).toMatchObject({ status: 429, error_code: 'AUTH-008' })
      const wait = Number(blocked.headers['retry-after'])
      expect(wait).toBeGreaterThan(20)
      expect(wait).toBeLessThanOrEqual(30)
    }
  })

  test('side by side gains nothing: of fifty at once at most five are told they were wrong', async () => {
    await person('parallel@acme.example')
    const answers = await Promise.all(Array.from({ length: 50 }, () => login('parallel@acme.example', 'wrong')))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5)
    expect((await login('parallel@acme.example')).status).toBe(429)
  })

  test('an address is refused after twenty failures with different accounts, others are not', async () => {
    const address = from()
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await login(`guess${tries}@acme.example`, 'wrong', address)).status).toBe(401)
    }
    expect((await login('guess99@acme.example', 'wrong', address)).body.error_code).toBe('AUTH-008')
    expect((await login('guess99@acme.example', 'wrong')).status).toBe(401)
  })

  test('the hundredth failure in a row locks the account and ends its sessions', async () => {
    const id = await person('locked-out@acme.example')
    const session = (await login('locked-out@acme.example')).body.data.access_token
    await failedInARow(tenant.id, 'locked-out@acme.example')
    expect((await login('locked-out@acme.example', 'wrong')).status).toBe(401)
    expect((await tenant.admin.get(`/iam/users/${id}`)).body.data).toMatchObject({
      status: 'locked',
      status_reason: 'failed_logins',
    })
    expect((await world.stranger.with(session).get('/auth/me')).status).toBe(401)
    expect((await tenant.admin.patch(`/iam/users/${id}`, { status: 'active' })).status).toBe(200)
    expect((await login('locked-out@acme.example')).status).toBe(200)
  })

  test('a success starts the count of failures in a row again', async () => {
    const id = await person('recovering@acme.example')
    await failedInARow(tenant.id, 'recovering@acme.example')
    expect((await login('recovering@acme.example')).status).toBe(200)
    expect((await login('recovering@acme.example', 'wrong')).status).toBe(401)
    expect((await tenant.admin.get(`/iam/users/${id}`)).body.data.status).toBe('active')
  })

  test('never locks the last administrator', async () => {
    const lonely = await world.tenant('lonely')
    const { id } = (await lonely.admin.get('/auth/me')).body.data.user
    await failedInARow(lonely.id, 'admin@lonely.example')
    expect((await login('admin@lonely.example', 'wrong')).status).toBe(401)
    expect((await lonely.admin.get(`/iam/users/${id}`)).body.data.status).toBe('active')
  })
})
