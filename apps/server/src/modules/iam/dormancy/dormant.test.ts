import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import type { IamServices } from '../services/iam-services.ts'
import { handleDormant } from './dormant.ts'

let world: OwnWorld
let sink: MailSink
let tenant: TestTenant
const roleIds = new Map<string, string>()

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
  for (const role of (await tenant.admin.get('/iam/roles')).body.data) roleIds.set(role.name, role.id)
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000 - 60_000).toISOString()
const run = () => {
  const services = world.program.assembled.modules.servicesOf('iam') as IamServices
  return handleDormant(services, { tenantId: tenant.id, signal: AbortSignal.timeout(60_000) })
}
const settle = async (settings: object) => {
  expectStatus(await world.operator.patch(`/iam/tenants/${tenant.id}`, { settings }), 200)
}
const see = async (id: string) => (await tenant.admin.get(`/iam/users/${id}`)).body.data
const warnedAt = async (id: string) =>
  (await inTenant(sql<{ at: string | null }>`select dormant_warned_at as at from iam_user where id = ${id}`))[0]?.at
const eventsOf = (id: string) =>
  inTenant(sql<{ channel: string; data: { readonly suspended_from?: string; readonly reason?: string } }>`
    select channel, data from outbox where data ->> 'user_id' = ${id}
    union all select channel, data from event_log where data ->> 'user_id' = ${id}`)

let count = 0

/** An active person who was last seen so many days ago. */
async function person(unusedDays: number, role = 'viewer'): Promise<{ readonly id: string; readonly email: string }> {
  const email = `dormant${++count}@acme.example`
  const body = { email, role_ids: [roleIds.get(role)], delivery: 'password', password: 'first words of a person' }
  const made = expectStatus(await tenant.admin.post('/iam/users', body), 201).body.data
  await unused(made.id, unusedDays)
  return { id: made.id, email }
}

const unused = (id: string, days: number) =>
  inTenant(sql`
    update iam_user set last_active_at = ${ago(days)}, created_at = ${ago(days)}, active_since = null where id = ${id}`)
const warned = (id: string, days: number) =>
  inTenant(sql`update iam_user set dormant_warned_at = ${ago(days)} where id = ${id}`)

describe('an account nobody uses', () => {
  test('is left alone where nobody asked for anything', async () => {
    const { id } = await person(3_000)
    await run()
    expect(await see(id)).toMatchObject({ status: 'active' })
    expect(await warnedAt(id)).toBeNull()
    await tenant.admin.delete(`/iam/users/${id}`)
  })

  test('is warned once at two thirds of the time and suspended at its end', async () => {
    await settle({ dormant_suspend_days: 90 })
    const { id } = await person(61)
    await run()
    await run()
    const [event, ...more] = (await eventsOf(id)).filter(({ channel }) => channel === 'iam.user.dormant_warned')
    expect(more).toEqual([])
    const days = (Date.parse(event?.data.suspended_from ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(29)
    expect((await see(id)).status).toBe('active')
    await unused(id, 91)
    await warned(id, 30)
    await run()
    expect(await see(id)).toMatchObject({ status: 'suspended', status_reason: 'dormant' })
    expect(await eventsOf(id)).toContainEqual(
      expect.objectContaining({
        channel: 'iam.user.suspended',
        data: expect.objectContaining({ reason: 'dormant', actor_id: null }),
      }),
    )
  })

  test('is never suspended without a week to answer the warning', async () => {
    await settle({ dormant_suspend_days: 90 })
    const { id } = await person(400)
    await run()
    expect((await see(id)).status).toBe('active')
    await warned(id, 6)
    await run()
    expect((await see(id)).status).toBe('active')
    await warned(id, 7)
    await run()
    expect((await see(id)).status).toBe('suspended')
  })

  test('starts anew for an administrator who lets its owner in again', async () => {
    await settle({ dormant_suspend_days: 90 })
    const { id } = await person(200)
    await warned(id, 8)
    await run()
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { status: 'active' }), 200)
    await run()
    expect((await see(id)).status).toBe('active')
  })

  test('is used when its owner comes back after the warning', async () => {
    await settle({ dormant_suspend_days: 90 })
    const { id } = await person(100)
    await warned(id, 50)
    await inTenant(sql`update iam_user set last_active_at = ${ago(1)} where id = ${id}`)
    await run()
    expect((await see(id)).status).toBe('active')
  })

  test('that is the last of an administrator stays, and of two the one who was here last', async () => {
    await settle({ dormant_suspend_days: 90 })
    const me = (await tenant.admin.get('/auth/me')).body.data.user.id
    const other = await person(300, 'tenant_admin')
    await unused(me, 200)
    for (const id of [me, other.id]) await warned(id, 10)
    await run()
    expect((await see(other.id)).status).toBe('suspended')
    expect((await see(me)).status).toBe('active')
    await unused(me, 0)
  })

  test('for emergencies is left alone', async () => {
    await settle({ dormant_suspend_days: 90 })
    const { id } = await person(300, 'tenant_admin')
    const oidc = { issuer: 'https://idp.acme.example', client_id: 'parapet', client_secret: 'a secret of a client' }
    const made = { name: 'Acme', type: 'oidc', oidc, break_glass_user_ids: [id] }
    expectStatus(await tenant.admin.post('/iam/sso-connections', made), 201)
    await warned(id, 10)
    await run()
    expect((await see(id)).status).toBe('active')
  })

  test('of a service lives by the use of its keys', async () => {
    await settle({ dormant_suspend_days: 90 })
    const accounts = await Promise.all(
      ['used', 'unused'].map(async (display_name) => {
        const body = { type: 'service', display_name, role_ids: [roleIds.get('viewer')] }
        const { id } = expectStatus(await tenant.admin.post('/iam/users', body), 201).body.data
        const key = { name: display_name, scopes: ['iam:read'], owner_id: id }
        expectStatus(await tenant.admin.post('/iam/api-keys', key), 201)
        await unused(id, 300)
        await inTenant(sql`update iam_user set last_active_at = null where id = ${id}`)
        await warned(id, 10)
        return { id, name: display_name }
      }),
    )
    await inTenant(sql`update iam_api_key set last_used_at = ${ago(2)} where name = 'used'`)
    await run()
    const states = await Promise.all(accounts.map(async ({ id, name }) => [name, (await see(id)).status]))
    expect(Object.fromEntries(states)).toEqual({ used: 'active', unused: 'suspended' })
  })

  test('is only warned about where no tenant asks for more', async () => {
    await settle({ dormant_warn_days: 30, dormant_suspend_days: null })
    const { id } = await person(3_000)
    await run()
    expect(await warnedAt(id)).not.toBeNull()
    await warned(id, 1_000)
    await inTenant(sql`update iam_user set created_at = ${ago(3_000)} where id = ${id}`)
    await run()
    expect((await see(id)).status).toBe('active')
  })
})

test('a person who does not use their account is written to, before and after', async () => {
  const mailed = await openWorld({
    environment: { PARAPET_SMTP_URL: sink.url, PARAPET_MAIL_FROM: 'parapet@example.org' },
  })
  try {
    const services = mailed.program.assembled.modules.servicesOf('iam') as IamServices
    const at = { tenantId: mailed.root.id }
    const round = () => handleDormant(services, { ...at, signal: AbortSignal.timeout(60_000) })
    const change = (statement: Sql) => mailed.kernel.db.tenant(at, (tx) => tx.execute(statement))
    const roles = (await mailed.operator.get('/iam/roles')).body.data as readonly { id: string; name: string }[]
    const viewer = roles.find(({ name }) => name === 'viewer')?.id
    const email = 'away@root.example'
    const body = { email, role_ids: [viewer], delivery: 'password', password: 'first words of a person' }
    const { id } = expectStatus(await mailed.operator.post('/iam/users', body), 201).body.data
    expectStatus(
      await mailed.operator.patch(`/iam/tenants/${mailed.root.id}`, { settings: { dormant_suspend_days: 90 } }),
      200,
    )
    await change(sql`update iam_user set created_at = ${ago(95)}, active_since = null where id = ${id}`)
    await round()
    await vi.waitFor(
      () => expect(sink.textsTo(email)).toContainEqual(expect.stringContaining('otherwise it may be suspended')),
      20_000,
    )
    await change(sql`update iam_user set dormant_warned_at = ${ago(8)} where id = ${id}`)
    await round()
    await vi.waitFor(() => expect(sink.textsTo(email)).toContainEqual(expect.stringContaining('was suspended')), 20_000)
    expect((await mailed.stranger.post('/auth/login', { email, password })).body.error_code).toBe('AUTH-007')
  } finally {
    await mailed.close()
  }
})
