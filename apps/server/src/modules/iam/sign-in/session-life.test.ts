import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { allPermissions, permissionSet } from '../../../kernel/access/permissions.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { defaultSettings } from '../settings/settings.ts'
import { sessionLife } from './session-life.ts'

const hour = 3_600_000
const day = 24 * hour
/** Idle limit of an administrator's session: the life of an access token and time to notice its end. */
const idle = hour + 300_000

test('a session that can administer anything lives little more than an hour idle and a day at most, whatever the tenant allows', () => {
  const minutes = fc.integer({ min: 5, max: 1440 })
  const hours = fc.integer({ min: 1, max: 720 })
  fc.assert(
    fc.property(
      fc.subarray([...allPermissions]),
      minutes,
      hours,
      (names, session_idle_minutes, session_absolute_hours) => {
        const allowed = { ...defaultSettings, session_idle_minutes, session_absolute_hours }
        const administers = names.some((name) => name.endsWith(':admin'))
        expect(sessionLife(allowed, { permissions: permissionSet(names) })).toEqual({
          idleMs: Math.min(session_idle_minutes * 60_000, administers ? idle : day),
          absoluteMs: Math.min(session_absolute_hours * hour, administers ? day : 30 * day),
          most: 20,
        })
      },
    ),
  )
})

describe('in the running program', () => {
  let world: OwnWorld
  let tenant: TestTenant
  beforeAll(async () => {
    world = await openWorld({ own: true })
    tenant = await world.tenant('acme')
  })
  afterAll(() => world.close())

  const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
  const signIn = async (email: string, tenantId: string = tenant.id) =>
    (await world.stranger.post('/auth/login', { email, password }, { headers: { 'x-tenant-id': tenantId } })).body.data
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const refresh = (token: string) => world.stranger.post('/auth/refresh', { refresh_token: token })

  /** Milliseconds the session may idle, may last, and its refresh token is good for. */
  async function livesOf(tokens: { access_token: string; refresh_token: string }): Promise<readonly number[]> {
    const { sid } = claims(tokens.access_token)
    const own = (await world.stranger.with(tokens.access_token).get('/iam/sessions')).body.data
    const session = own.find(({ id }: { id: string }) => id === sid)
    const { iat, exp } = claims(tokens.refresh_token)
    const from = Date.parse(session.auth_time)
    return [Date.parse(session.idle_expires_at) - from, Date.parse(session.expires_at) - from, (exp - iat) * 1000]
  }

  test('a person has as many sessions as the tenant allows, and the oldest ends', async () => {
    const small = await world.tenant('few')
    await small.as('viewer')
    const settings = (session_max_per_user: number | null) =>
      small.admin.patch(`/iam/tenants/${small.id}`, { settings: { session_max_per_user } })
    expect([(await settings(0)).status, (await settings(21)).status]).toEqual([400, 400])
    expect((await settings(2)).body.data.effective_settings.session_max_per_user).toBe(2)
    const opened: string[] = []
    for (let times = 0; times < 3; times += 1) opened.push((await signIn('viewer@few.example', small.id)).access_token)
    const statuses = await Promise.all(
      opened.map(async (token) => (await world.stranger.with(token).get('/auth/me')).status),
    )
    expect(statuses).toEqual([401, 200, 200])
  })

  test('administrators and others get their lives at sign-in, and the refresh token ends with the idle time', async () => {
    for (const role of ['viewer', 'auditor', 'security_admin'] as const) await tenant.as(role)
    expect(await livesOf(await signIn('admin@acme.example'))).toEqual([idle, day, idle])
    expect(await livesOf(await signIn('security-admin@acme.example'))).toEqual([idle, day, idle])
    expect(await livesOf(await signIn('operator@root.example', world.root.id))).toEqual([idle, day, idle])
    expect(await livesOf(await signIn('viewer@acme.example'))).toEqual([day, 30 * day, day])
    expect(await livesOf(await signIn('auditor@acme.example'))).toEqual([day, 30 * day, day])
  })

  test('a refresh gives an administrator another hour and never more than the day', async () => {
    const tokens = await signIn('admin@acme.example')
    const { sid } = claims(tokens.access_token)
    const started = new Date(Date.now() - 23.5 * hour).toISOString()
    const ends = new Date(Date.parse(started) + day).toISOString()
    await inTenant(sql`update iam_session set auth_time = ${started}, expires_at = ${ends} where id = ${sid}`)
    const next = (await refresh(tokens.refresh_token)).body.data
    expect(claims(next.refresh_token).exp).toBe(Math.floor(Date.parse(ends) / 1000))
  })

  test('who became an administrator since has an administrator’s session from the next refresh on', async () => {
    const roles = (await tenant.admin.get('/iam/roles')).body.data
    const roleId = roles.find(({ name }: { name: string }) => name === 'risk_manager').id
    const [fresh, old] = [await signIn('viewer@acme.example'), await signIn('viewer@acme.example')]
    const { sid } = claims(old.access_token)
    const twoHoursAgo = new Date(Date.now() - 2 * hour).toISOString()
    await inTenant(sql`update iam_session set rotated_at = ${twoHoursAgo} where id = ${sid}`)
    await tenant.admin.patch(`/iam/users/${claims(fresh.access_token).sub}`, { role_ids: [roleId] })
    const { iat, exp } = claims((await refresh(fresh.refresh_token)).body.data.refresh_token)
    expect(exp - iat).toBe(idle / 1000)
    expect((await refresh(old.refresh_token)).body.error_code).toBe('AUTH-003')
  })

  test('a tenant shortens both lives for everybody', async () => {
    const made = await world.operator.post('/iam/tenants', {
      name: 'Strict',
      slug: 'strict',
      admin_email: 'admin@strict.example',
      settings: { session_idle_minutes: 10, session_absolute_hours: 2 },
    })
    const token = made.body.data.invitation_url.split('#')[1]
    await world.stranger.post('/auth/invitations/accept', { token, password })
    const tokens = await signIn('admin@strict.example', made.body.data.id)
    expect(await livesOf(tokens)).toEqual([600_000, 2 * hour, 600_000])
  })
})
