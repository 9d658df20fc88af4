import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallOptions, TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { untilSealed } from '../../../kernel/audit/testing/seals.ts'
import { readBackup } from '../../../kernel/backup/file.ts'
import { pathOf, readFile as readBytes } from '../../../kernel/backup/store.ts'
import { createRandom } from '../../../kernel/crypto/random.ts'
import { createKeyWrap } from '../../../kernel/crypto/wrapping.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { modules } from '../../../modules.ts'
import type { IamServices } from '../services/iam-services.ts'
import { clientId, clientSecret, type OpenIdProvider, startOpenIdProvider } from '../sso/testing/openid-provider.ts'
import { activate, exchange, roleId, start } from '../sso/testing/sso-world.ts'
import { erasureJobs } from './jobs.ts'
import { dump, tracesIn } from './testing/traces.ts'

const kek = crypto.getRandomValues(new Uint8Array(32))
const firstAddress = 'Kanarina.Vogel.q7x@canary.example'
const address = 'kanarina.zweitname.q8y@canary.example'

/** Values that belong to her alone; each is found before she is erased, or the search would prove nothing. */
const canaries = {
  first_address: firstAddress,
  address,
  name: 'Kanarina Vögel-Q7x',
  department: 'Voliere q9z',
  family: 'Zweitname-Vögel-q8y',
  phone: '+44 20 7946 0958',
  street: '17 Canary Wharf q6w',
  directory_id: 'canary-ext-q5v',
  sso_subject: 'canary-sub-q4u',
  agent: 'CanaryBrowser/q3t',
  key_agent: 'CanaryScript/q2s',
  ip: '203.0.113.77',
  prompt: 'kanarienflugqzr',
  comment: 'kanarienwort-q0p',
  status_reason: 'Kanarina lost her badge r1a',
  key: 'Notebook von Kanarina r3c',
  factor: 'Telefon von Kanarina r2b',
}

/** The tables that say who she is. */
const places = [
  ...['audit_personal', 'event_log', 'gateway_feedback', 'gateway_request_payload', 'iam_access_review_item'],
  ...['iam_api_key', 'iam_factor'],
  ...['iam_mail_link', 'iam_scim_user', 'iam_session', 'iam_sso_flow', 'iam_sso_identity', 'iam_sso_session'],
  ...['iam_user', 'idempotency_key', 'job'],
]

let database: TestDatabase
let world: OwnWorld
let sink: MailSink
let op: OpenIdProvider
let admin: TestClient
let folder: string
/** The person to be erased, and the other two administrators. */
let her: { id: string; client: TestClient }
let heir: { id: string; client: TestClient }
let viewer: { id: string; client: TestClient }
let keyId: string
let reviewId: string

beforeAll(async () => {
  sink = await openMailSink()
  database = await openTestDatabase(schemaOf(modules))
  folder = await mkdtemp(join(tmpdir(), 'parapet-erase-'))
  world = await openWorld({
    database,
    environment: {
      PARAPET_SMTP_URL: sink.url,
      PARAPET_TRUSTED_PROXIES: '127.0.0.1/32',
      PARAPET_BACKUP_DIR: folder,
      PARAPET_KEY_ENCRYPTION_KEY: Buffer.from(kek).toString('base64'),
      PARAPET_LOG_LEVEL: 'silent',
    },
  })
  op = await startOpenIdProvider(world.program.app)
  admin = world.root.admin
})

afterAll(async () => {
  await op?.close()
  await world?.close()
  await sink?.close()
  await rm(folder, { recursive: true, force: true })
})

const from = (agent = canaries.agent, more: CallOptions['headers'] = {}): CallOptions => ({
  headers: { 'x-forwarded-for': canaries.ip, 'user-agent': agent, ...more },
})

/** Invited by mail and signed in, from the canary's place. */
async function person(email: string, more: object, role = 'tenant_admin'): Promise<{ id: string; client: TestClient }> {
  const body = { email, role_ids: [await roleId(admin, role)], ...more }
  const headers = { 'idempotency-key': email === firstAddress ? 'make-her' : `make-${email}` }
  const { id } = expectStatus(await admin.post('/iam/users', body, { headers }), 201).body.data
  const link = () => /invite#(\S+)/.exec(sink.newestTo(email)?.text ?? '')?.[1]
  await expect.poll(link).toBeDefined()
  const mine = email === firstAddress ? from() : {}
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token: link(), password }, mine), 200)
  return { id, client: await signIn(email, mine) }
}

async function signIn(email: string, options: CallOptions): Promise<TestClient> {
  const tokens = expectStatus(await world.stranger.post('/auth/login', { email, password }, options), 200).body.data
  return world.stranger.with(tokens.access_token)
}

const erase = (id: string, query: Record<string, string> = {}, by = admin) =>
  by.delete(`/iam/users/${id}`, { query: { mode: 'erase', ...query } })

const traces = async () => tracesIn(await dump(database.driver), Object.values(canaries))

/** All that a person does who administers, has a key, calls models, and is in a directory. */
async function live(): Promise<void> {
  const { client } = her
  const headers = { 'idempotency-key': `role-for-${firstAddress}` }
  expectStatus(await admin.post('/iam/roles', { name: 'Aviary', permissions: ['trust:read'] }, { headers }), 201)
  await world.stranger.post('/auth/login', { email: firstAddress, password: 'wrong' }, from())
  expectStatus(await client.patch('/auth/me', { display_name: canaries.name, time_zone: 'Europe/Berlin' }, from()), 200)
  const totp = expectStatus(await client.post('/auth/mfa/totp', { name: canaries.factor }, from()), 200)
  expect(totp.body.data.factor_id).toBeDefined()
  const key = { name: canaries.key, scopes: ['iam:read', 'gateway:write'], allowed_cidrs: [`${canaries.ip}/32`] }
  const made = expectStatus(await client.post('/iam/api-keys', key, from()), 201).body.data
  keyId = made.id
  const script = world.stranger.with(made.secret)
  const chat = { model: 'echo-1', messages: [{ role: 'user', content: `Tell me about ${canaries.prompt}.` }] }
  const called = expectStatus(await script.post('/gateway/chat/completions', chat, from(canaries.key_agent)), 200).body
    .data
  const word = { kind: 'answer', rating: 1, comment: canaries.comment }
  expectStatus(await client.post(`/gateway/requests/${called.id}/feedback`, word, from()), 201)
  await script.get('/iam/users', from(canaries.key_agent))
  const review = {
    name: 'Who has what',
    scope: { include_api_keys: true, role_ids: [await roleId(admin, 'tenant_admin'), await roleId(admin, 'viewer')] },
    reviewer_rule: `user:${her.id}`,
    due_at: '2099-01-01T00:00:00.000Z',
    on_no_answer: 'keep',
  }
  reviewId = expectStatus(await client.post('/iam/access-reviews', review, from()), 201).body.data.id
  const forgotten = async (letters: number) => {
    expectStatus(await world.stranger.post('/auth/password/forgot', { email: firstAddress }, from()), 200)
    const links = () => sink.letters.filter(({ to, text }) => to.includes(firstAddress) && text.includes('/reset#'))
    await expect.poll(() => links().length).toBe(letters)
    return /#(\S+)/.exec(links().at(-1)?.text ?? '')?.[1] ?? ''
  }
  const reset = { token: await forgotten(1), new_password: `${password} again` }
  expectStatus(await world.stranger.post('/auth/password/reset', reset, from()), 200)
  await forgotten(2)
}

async function beProvisioned(): Promise<void> {
  const { secret } = expectStatus(await admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim' }), 201).body.data
  const scim = world.stranger.with(secret)
  const options = { headers: { 'content-type': 'application/scim+json' } }
  const document = {
    userName: address,
    externalId: canaries.directory_id,
    displayName: canaries.name,
    name: { familyName: canaries.family, givenName: 'Kanarina' },
    emails: [{ value: address, type: 'work', primary: true }],
    phoneNumbers: [{ value: canaries.phone, type: 'mobile' }],
    addresses: [{ type: 'home', streetAddress: canaries.street }],
  }
  expectStatus(await scim.send('PUT', `/scim/v2/Users/${her.id}`, { body: document, options }), 200)
  const group = { displayName: 'Birds', members: [{ value: her.id }] }
  expectStatus(await scim.send('POST', '/scim/v2/Groups', { body: group, options }), 201)
}

async function signInOverSso(): Promise<void> {
  const wanted = {
    name: 'Company',
    type: 'oidc',
    domains: ['canary.example'],
    oidc: {
      issuer: op.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      scopes: ['openid', 'email', 'profile'],
    },
    jit: { enabled: false, default_role_ids: [] },
    link_policy: 'verified_domain',
  }
  const { id, service_provider: sp } = expectStatus(await admin.post('/iam/sso-connections', wanted), 201).body.data
  await op.register({ redirectUri: sp.redirect_uri, logoutUri: sp.backchannel_logout_uri })
  expectStatus(await activate(world, admin, id), 200)
  op.person = { sub: canaries.sso_subject, claims: { email: address, email_verified: true, name: canaries.name } }
  const back = await op.browse(await start(world, id), sp.redirect_uri)
  const query = Object.fromEntries(back.searchParams)
  const answer = await world.stranger.get(`/auth/sso/${id}/callback`, { query, ...from() })
  expectStatus(await exchange(world, answer), 200)
}

async function beSuspended(): Promise<void> {
  const at = `/iam/users/${her.id}`
  expectStatus(await admin.patch(at, { status: 'suspended', status_reason: canaries.status_reason }), 200)
  expectStatus(await admin.patch(at, { status: 'active' }), 200)
  const { id } = expectStatus(await admin.post(`/iam/tenants/${world.root.id}/export`, { include: ['iam_user'] }), 201)
    .body.data
  const status = async () =>
    (
      await world.kernel.db.read(
        world.root.id,
        sql<{ status: string }>`select status from iam_tenant_export where id = ${id}`,
      )
    )[0]?.status
  await expect.poll(status, { timeout: 20_000 }).toBe('completed')
}

/** The relay has moved what was told: an event stands in the outbox or in the log, whichever the moment is. */
async function relayed(): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*)::int as count from outbox`
  const count = async () => (await world.kernel.db.read(world.root.id, waiting))[0]?.count
  await expect.poll(count, { timeout: 30_000 }).toBe(0)
}

const sealed = (tenantId = world.root.id): Promise<void> => untilSealed(world, tenantId)

const statusOf = async (id: string) => (await admin.get(`/iam/users/${id}`)).body.data.status

describe('C66 erasing a person', () => {
  test('the search finds every canary where a life has left it', async () => {
    heir = await person('heir@root.example', {})
    viewer = await person('viewer@root.example', {}, 'viewer')
    her = await person(firstAddress, {
      display_name: canaries.name,
      department: canaries.department,
      locale: 'de-CH',
      time_zone: 'Europe/Zurich',
    })
    await live()
    await beProvisioned()
    await signInOverSso()
    await beSuspended()
    await relayed()
    const found = await traces()
    const seen = (canary: string) => found.some((one) => one.endsWith(`: ${canary}`))
    expect(Object.values(canaries).filter((canary) => !seen(canary))).toEqual([])
    expect(found.filter((one) => one.startsWith('audit_entry: '))).toEqual([])
    expect(new Set(found.map((one) => one.split(':')[0]))).toEqual(new Set(places))
  })

  test('is refused unless everything that has to be so is so', async () => {
    const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
    expect(told(await erase(her.id))).toEqual([409, 'IAM-004'])
    expect(await statusOf(her.id)).toBe('active')
    expectStatus(await admin.delete(`/iam/users/${her.id}`), 200)
    expect(told(await erase(her.id, {}, viewer.client))).toEqual([403, 'AUTH-004'])
    const { secret } = (await admin.post('/iam/api-keys', { name: 'Cleaner', scopes: ['iam:admin'] })).body.data
    expect(told(await erase(her.id, {}, world.stranger.with(secret)))).toEqual([401, 'AUTH-009'])
    expect(told(await erase('01890000-0000-7000-8000-000000000000'))).toEqual([404, 'API-013'])
    expect(told(await erase(her.id, { transfer_to: '01890000-0000-7000-8000-000000000000' }))).toEqual([404, 'API-013'])
    expect(told(await erase(her.id, { transfer_to: her.id }))).toEqual([400, 'API-001'])
    const plain = await admin.delete(`/iam/users/${her.id}`, { query: { transfer_to: heir.id } })
    expect(told(plain)).toEqual([409, 'IAM-004'])
    expect(await statusOf(her.id)).toBe('deactivated')
  })

  test('that breaks at its end has not begun', async () => {
    const before = await traces()
    const owner = (text: string) => asOwner(database.driver, (run) => run(script(text)))
    await owner(
      `create function break_it() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    )
    await owner(
      `create trigger break_it before insert on outbox for each row when (new.channel = 'iam.user.erased') execute function break_it()`,
    )
    expect((await erase(her.id)).status).toBe(500)
    await owner('drop trigger break_it on outbox; drop function break_it()')
    expect(await statusOf(her.id)).toBe('deactivated')
    expect(await traces()).toEqual(before)
  })

  test('leaves none of them in any table', async () => {
    const done = expectStatus(await erase(her.id, { transfer_to: heir.id }), 200)
    expect(done.body.data).toEqual({ id: her.id, deleted: true, mode: 'erase' })
    expect(await traces()).toEqual([])
    const waiting = sql<{
      n: number
    }>`select count(*)::int as n from job where kind = 'iam.user.erase_late' and status = 'done'`
    const late = async () => (await world.kernel.db.read(world.root.id, waiting))[0]?.n
    await expect.poll(late).toBe(1)
    expect(await traces()).toEqual([])
  })

  test('leaves an id with a placeholder, and what was hers to another', async () => {
    const { data } = expectStatus(await admin.get(`/iam/users/${her.id}`), 200).body
    expect(data).toMatchObject({
      status: 'erased',
      display_name: 'Erased user',
      email: null,
      role_ids: [],
      department: null,
    })
    const listed = expectStatus(await admin.get('/iam/users', { query: { status: 'erased' } }), 200).body.data
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([her.id])
    expect((await admin.get(`/iam/api-keys/${keyId}`)).body.data).toMatchObject({
      owner_id: heir.id,
      status: 'revoked',
    })
    const { items, ...review } = expectStatus(await heir.client.get(`/iam/access-reviews/${reviewId}`), 200).body.data
    expect(review).toMatchObject({ opened_by: heir.id, status: 'open' })
    const reviewerOf = (id: string) =>
      items.find(({ subject }: { subject: { id: string } }) => subject.id === id)?.reviewer_id
    // A person never reviews their own access.
    expect([viewer.id, heir.id].map(reviewerOf)).toEqual([heir.id, null])
  })

  test('is told once, and repeated calls are answered alike', async () => {
    const again = expectStatus(await erase(her.id), 200).body.data
    expect(again).toEqual({ id: her.id, deleted: true, mode: 'erase' })
    const told = await world.kernel.db.read(
      world.root.id,
      sql<{ data: object }>`
        select data from outbox where channel = 'iam.user.erased'
        union all select data from event_log where channel = 'iam.user.erased'`,
    )
    expect(told).toHaveLength(1)
    expect(told[0]?.data).toMatchObject({ user_id: her.id })
  })

  test.each([
    ['changed', (at: string) => admin.patch(at, { display_name: 'Back' })],
    ['activated', (at: string) => admin.patch(at, { status: 'active' })],
    ['deactivated', (at: string) => admin.delete(at)],
    ['reset', (at: string) => admin.post(`${at}/reset-credentials`, { password: true })],
  ])('is the end: the account cannot be %s', async (_, call) => {
    expect((await call(`/iam/users/${her.id}`)).body.error_code).toBe('IAM-004')
  })

  test('leaves a chain that verifies, here and from an export', async () => {
    await sealed()
    const verdict = expectStatus(await admin.post('/admin/audit-logs/verify', {}), 200).body.data
    expect(verdict).toMatchObject({ verified: true, reason: null })
    const accept = 'application/x-ndjson'
    const { text } = expectStatus(await admin.get('/admin/audit-logs', { headers: { accept } }), 200)
    expect(tracesIn(new Map([['export', text]]), Object.values(canaries))).toEqual([])
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const hers = lines.filter(({ user_id: id, ip }) => id === her.id && ip !== null)
    expect(hers.length).toBeGreaterThan(5)
    for (const { ip, personal } of hers) expect([ip.slice(0, 9), personal]).toEqual(['personal:', []])
    expect(lines.some(({ ip }) => ip === '127.0.0.1')).toBe(true)
    const file = join(folder, 'export.ndjson')
    await writeFile(file, text)
    const ran = await promisify(execFile)(process.execPath, ['scripts/verify-audit.mjs', file])
    expect(JSON.parse(ran.stdout)).toMatchObject({ verified: true, withheld: 0 })
  })

  test('leaves none of them in a backup made afterwards', async () => {
    const { id } = expectStatus(await world.operator.post('/admin/backups', { kind: 'full' }), 201).body.data
    const status = async () => (await world.operator.get('/admin/backups', { query: { id } })).body.data[0].status
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
    const parts: string[] = []
    const wrap = createKeyWrap(kek, createRandom(Date.now))
    for await (const line of readBackup(wrap, readBytes(pathOf(folder, id)))) parts.push(line)
    expect(parts.join('\n')).toContain('operator@root.example')
    expect(tracesIn(new Map([['backup', parts.join('\n')]]), Object.values(canaries))).toEqual([])
  })

  test('lets nothing be told of her by answers that were kept, nor by the log', async () => {
    const body = {
      email: firstAddress,
      role_ids: [await roleId(admin, 'tenant_admin')],
      ...{ display_name: canaries.name, department: canaries.department, locale: 'de-CH', time_zone: 'Europe/Zurich' },
    }
    const kept = await admin.post('/iam/users', body, { headers: { 'idempotency-key': 'make-her' } })
    expect([kept.status, kept.body.error_code]).toEqual([409, 'API-011'])
    const log = expectStatus(await admin.get('/admin/audit-logs', { query: { limit: '200', actor_id: her.id } }), 200)
    expect(tracesIn(new Map([['log', log.text]]), Object.values(canaries))).toEqual([])
    for (const query of [{ ip: canaries.ip }, { q: canaries.agent }, { q: 'personal:' }])
      expect((await admin.get('/admin/audit-logs', { query })).body.data).toEqual([])
  })

  test('frees the address for a new account, which is somebody else', async () => {
    const body = { email: address, role_ids: [await roleId(admin, 'viewer')] }
    const made = expectStatus(await admin.post('/iam/users', body), 201).body.data
    expect(made.id).not.toBe(her.id)
    expect(made).toMatchObject({ status: 'invited', display_name: null })
  })
})

test('C66 an operator leaves nothing in the log of another tenant either', async () => {
  const tenant = await world.operator.post('/iam/tenants', {
    name: 'Abroad',
    slug: 'abroad',
    admin_email: 'a@abroad.example',
  })
  const abroad = expectStatus(tenant, 201).body.data.id
  const operator = await person('leaving@root.example', {}, 'super_admin')
  const options = { headers: { 'user-agent': 'LeavingBrowser/q9z', 'x-tenant-id': abroad } }
  expectStatus(await operator.client.post('/iam/roles', { name: 'Left', permissions: ['trust:read'] }, options), 201)
  const left = async () => tracesIn(await dump(database.driver), ['LeavingBrowser/q9z', 'leaving@root.example'])
  expect(await left()).toContain('audit_personal: LeavingBrowser/q9z')
  expectStatus(await admin.delete(`/iam/users/${operator.id}`), 200)
  expectStatus(await erase(operator.id), 200)
  await expect.poll(left).toEqual([])
  await sealed(abroad)
  expect(await world.kernel.chain.verify(abroad)).toMatchObject({ verified: true })
})

test('C66 rows that come late are looked for again, of nobody who is not erased', async () => {
  const { id } = expectStatus(
    await admin.post('/iam/users', { email: 'late@root.example', role_ids: [await roleId(admin, 'viewer')] }),
    201,
  ).body.data
  const [job] = erasureJobs
  const run = () =>
    job?.run({
      id: world.kernel.random.uuid(),
      tenantId: world.root.id,
      services: world.program.assembled.modules.servicesOf('iam') as IamServices,
      kernel: world.kernel,
      payload: { user_id: id },
      attempt: 1,
      signal: new AbortController().signal,
      progress: async () => undefined,
      result: () => undefined,
      thread: () => Promise.reject(new Error('not in a thread')),
      transaction: (work) => world.kernel.db.tenant({ tenantId: world.root.id }, work),
      complete: (work) => world.kernel.db.tenant({ tenantId: world.root.id }, work),
    })
  const late = () =>
    world.kernel.db.tenant({ tenantId: world.root.id }, (tx) =>
      tx.execute(sql`insert into audit_personal (entry_id, subject_id, salt, opened)
        values (${world.kernel.random.uuid()}, ${id}, 'salt', '{"/ip": "late@root.example"}')`),
    )
  const found = async () => tracesIn(await dump(database.driver), ['late@root.example'])
  await late()
  await run()
  expect(await found()).toContain('audit_personal: late@root.example')
  expectStatus(await admin.delete(`/iam/users/${id}`), 200)
  expectStatus(await erase(id), 200)
  await late()
  await run()
  expect(await found()).toEqual([])
})

test('a service account and an invitation nobody took can be erased too', async () => {
  const role_ids = [await roleId(admin, 'viewer')]
  const wishes = [{ type: 'service', display_name: 'Robot' }, { email: 'never@root.example' }]
  for (const wish of wishes) {
    const { id } = expectStatus(await admin.post('/iam/users', { ...wish, role_ids }), 201).body.data
    expectStatus(await admin.delete(`/iam/users/${id}`), 200)
    expectStatus(await erase(id), 200)
    expect(await statusOf(id)).toBe('erased')
  }
  expect(tracesIn(await dump(database.driver), ['never@root.example', 'Robot'])).toEqual([])
})
