import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'

const newPassword = 'another horse, another staple 17'
let world: OwnWorld
let sink: MailSink
let admin: TestClient
let viewerRole: string

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({
    environment: { PARAPET_SMTP_URL: sink.url, PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  admin = world.root.admin
  viewerRole = (await admin.get('/iam/roles?q=viewer')).body.data[0].id
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

let addresses = 0
const from = () => ({ headers: { 'x-forwarded-for': `203.0.113.${++addresses}` } })
const post = (path: string, body: unknown) => world.stranger.post(path, body, from())
const login = (email: string, secret: string) => post('/auth/login', { email, password: secret })
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: world.root.id }, (tx) => tx.query(statement))

/** The secret of the newest letter with a link of this kind. */
async function tokenFor(email: string, path: string, before = 0): Promise<string> {
  const links = () => sink.letters.filter(({ to, text }) => to.includes(email) && text.includes(`/${path}#`))
  await expect.poll(() => links().length).toBeGreaterThan(before)
  return /#(\S+)/.exec(links().at(-1)?.text ?? '')?.[1] ?? ''
}

async function person(name: string): Promise<{ id: string; email: string }> {
  const email = `${name}@acme.example`
  const made = expectStatus(await admin.post('/iam/users', { email, role_ids: [viewerRole] }), 201).body.data
  expect(made.invitation_url).toBeUndefined()
  const token = await tokenFor(email, 'invite')
  expectStatus(await post('/auth/invitations/accept', { token, password }), 200)
  return { id: made.id, email }
}

const forgot = (email: string) => post('/auth/password/forgot', { email })

test('where mail is configured an invitation is mailed and never answered; a relay that is busy only delays it', async () => {
  sink.refuse(1)
  const { email } = await person('invited')
  expect((await login(email, password)).status).toBe(200)
  const child = await world.operator.post('/iam/tenants', {
    name: 'Child',
    slug: 'child',
    admin_email: 'boss@child.example',
  })
  expect(child.status).toBe(201)
  expect(child.body.data.invitation_url).toBeUndefined()
  const token = await tokenFor('boss@child.example', 'invite')
  expectStatus(await post('/auth/invitations/accept', { token, password }), 200)
})

test('a forgotten password is set anew by a link that works once, ends every session and unlocks', async () => {
  const { id, email } = await person('ada')
  const session = (await login(email, password)).body.data
  await inTenant(sql`update iam_user set status = 'locked' where id = ${id}`)
  expect((await forgot(email)).status).toBe(200)
  const token = await tokenFor(email, 'reset')
  const stored = JSON.stringify([
    await inTenant(sql`select * from iam_mail_link`),
    await inTenant(sql`select * from iam_directory`),
    await inTenant(sql`select payload from job`),
  ])
  expect(stored).not.toContain(token)
  const weak = await post('/auth/password/reset', { token, new_password: 'short' })
  expect(weak.body.error_code).toBe('IAM-002')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post('/auth/password/reset', { token, new_password: newPassword })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  expect((await world.stranger.with(session.access_token).get('/auth/me')).status).toBe(401)
  expect((await post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(401)
  expect((await login(email, password)).body.error_code).toBe('AUTH-007')
  expect((await login(email, newPassword)).status).toBe(200)
  await expect.poll(() => sink.textsTo(email)).toContainEqual(expect.stringContaining('was set anew'))
})

test('a new password skips no second factor', async () => {
  const { email } = await person('max')
  const client = world.stranger.with((await login(email, password)).body.data.access_token)
  const { factor_id, secret_base32 } = expectStatus(await client.post('/auth/mfa/totp', {}), 200).body.data
  const code = generateSync({ secret: secret_base32 })
  expectStatus(await client.post('/auth/mfa/totp/verify', { factor_id, code }), 200)
  await forgot(email)
  const token = await tokenFor(email, 'reset')
  expectStatus(await post('/auth/password/reset', { token, new_password: newPassword }), 200)
  expect((await login(email, newPassword)).body.error_code).toBe('AUTH-006')
})

test('a newer link kills the older one, and one that ran out or belongs to a suspended account is refused', async () => {
  const { id, email } = await person('grace')
  await forgot(email)
  const first = await tokenFor(email, 'reset')
  await forgot(email)
  const second = await tokenFor(email, 'reset', 1)
  const reset = (token: string) => post('/auth/password/reset', { token, new_password: newPassword })
  expect((await reset(first)).body.error_code).toBe('AUTH-002')
  await inTenant(sql`update iam_user set status = 'suspended' where id = ${id}`)
  expect((await reset(second)).body.error_code).toBe('AUTH-002')
  await inTenant(sql`update iam_mail_link set expires_at = now() - interval '1 second' where user_id = ${id}`)
  expect((await reset(second)).body.error_code).toBe('AUTH-003')
  expect((await reset('x'.repeat(43))).body.error_code).toBe('AUTH-002')
})

test('C05 asking says the same for every address and asks the database the same', async () => {
  const { email } = await person('known')
  const letters = sink.letters.length
  const answers = await Promise.all([forgot(email), forgot('nobody@acme.example'), forgot('other@elsewhere.example')])
  const told = answers.map(({ status, body }) => JSON.stringify([status, body.data, body.errors]))
  expect(new Set(told).size).toBe(1)
  await expect.poll(() => sink.letters.length).toBeGreaterThan(letters)
  const jobs = await world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ tenant_id: string; payload: string }>`
      select tenant_id, payload::text as payload from job where kind = 'iam.password_forgotten'`),
  )
  expect(new Set(jobs.map(({ tenant_id }) => tenant_id)).size).toBe(1)
  expect(JSON.stringify(jobs)).not.toContain('nobody@')
  expect(sink.newestTo('nobody@acme.example')).toBeUndefined()
})

test('one mailbox gets five letters an hour, and the answer does not change', async () => {
  const { email } = await person('flooded')
  const before = sink.letters.length
  for (let asked = 0; asked < 12; asked += 1) expect((await forgot(email)).status).toBe(200)
  const { email: last } = await person('after-the-flood')
  expect(sink.newestTo(last)).toBeDefined()
  const resets = sink.letters.slice(before).filter(({ to }) => to.includes(email))
  expect(resets.length).toBeLessThanOrEqual(5)
})

test('a network address that asks too often is told to wait', async () => {
  const options = { headers: { 'x-forwarded-for': '198.51.100.77' } }
  const ask = (n: number) => world.stranger.post('/auth/password/forgot', { email: `n${n}@acme.example` }, options)
  for (let asked = 0; asked < 30; asked += 1) expect((await ask(asked)).status).toBe(200)
  expect((await ask(31)).body.error_code).toBe('AUTH-008')
})
