import { afterAll, beforeAll, expect, test } from 'vitest'
import { accept, expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import { accountDigest } from './guessing/guard.ts'
import { makeSamlProvider } from './sso/testing/saml-provider.ts'

let world: World
let acme: TestTenant
let viewer: string
beforeAll(async () => {
  world = await openWorld()
  acme = await world.tenant('acme')
  viewer = (await acme.admin.get('/iam/roles', { query: { q: 'viewer' } })).body.data[0].id
})
afterAll(() => world.close())

/** Channels of the events about a subject so far, oldest first. */
const told = (subject: string, tenantId = acme.id) =>
  world.kernel.db.tenant({ tenantId }, async (tx) => {
    const rows = await tx.query(
      sql<{ channel: string }>`select channel from event_log where subject = ${subject} order by id`,
    )
    return rows.map(({ channel }) => channel.replace('iam.', ''))
  })
const eventually = (subject: string) => expect.poll(() => told(subject))

async function person(name: string): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${name}@${acme.slug}.example`
  const made = expectStatus(await acme.admin.post('/iam/users', { email, role_ids: [viewer] }), 201).body.data
  await accept(world.stranger, made.invitation_url)
  return { id: made.id, email }
}

test('each move of an account is told', async () => {
  const { id, email } = await person('mover')
  const move = async (body: object) => expectStatus(await acme.admin.patch(`/iam/users/${id}`, body), 200)
  await move({ status: 'suspended', status_reason: 'Leave' })
  await move({ status: 'active', status_reason: 'Back' })
  await world.kernel.db.tenant({ tenantId: acme.id }, (tx) =>
    tx.execute(sql`
      insert into iam_login_guard (digest, consecutive, updated_at)
      values (${accountDigest(world.kernel, acme.id, email)}, 99, now())`),
  )
  await world.stranger.post('/auth/login', { email, password: 'wrong' })
  expectStatus(await acme.admin.post(`/iam/users/${id}/reset-credentials`, { unlock: true }), 200)
  await move({ status: 'deactivated', status_reason: 'Left' })
  const moves = ['suspended', 'activated', 'locked', 'activated', 'deactivated'].map((past) => `user.${past}`)
  await eventually(`user/${id}`).toEqual(['user.invited', 'user.activated', 'credential.changed', ...moves])
})

test('the life of a session is told', async () => {
  const { email } = await person('visitor')
  const client = await world.signIn(email, acme.id)
  const [{ id }] = (await client.get('/iam/sessions')).body.data
  expectStatus(await client.post('/auth/logout', {}), 200)
  await eventually(`session/${id}`).toEqual(['session.created', 'session.revoked'])
})

test('the life of a key is told', async () => {
  const create = async (body: object): Promise<string> =>
    expectStatus(await acme.admin.post('/iam/api-keys', body), 201).body.data.id
  const first = await create({ name: 'robot', scopes: ['iam:read'] })
  const second = await create({ replaces_id: first })
  expectStatus(await acme.admin.delete(`/iam/api-keys/${second}`), 200)
  await eventually(`api-key/${first}`).toEqual(['api_key.created'])
  await eventually(`api-key/${second}`).toEqual(['api_key.rotated', 'api_key.revoked'])
})

test('changes of roles and connections are told', async () => {
  const role = expectStatus(await acme.admin.post('/iam/roles', { name: 'Curator', permissions: ['iam:read'] }), 201)
  const { id } = role.body.data
  expectStatus(await acme.admin.patch(`/iam/roles/${id}`, { permissions: ['risk:read'] }), 200)
  expectStatus(await acme.admin.delete(`/iam/roles/${id}`), 200)
  await eventually(`role/${id}`).toEqual(['role.changed', 'role.changed', 'role.changed'])
  const saml = { idp_metadata_xml: (await makeSamlProvider()).metadata }
  const draft = await acme.admin.post('/iam/sso-connections', { name: 'Directory', type: 'saml', saml })
  const connection = expectStatus(draft, 201).body.data.id
  expectStatus(await acme.admin.delete(`/iam/sso-connections/${connection}`), 200)
  await eventually(`sso_connection/${connection}`).toEqual(['sso_connection.changed', 'sso_connection.changed'])
})

test('the life of a tenant is told to the one above', async () => {
  const child = { name: 'Child', slug: 'child', admin_email: 'a@child.example' }
  const { id } = expectStatus(await acme.admin.post('/iam/tenants', child), 201).body.data
  const suspended = { status: 'suspended', status_reason: 'Unpaid' }
  expectStatus(await acme.admin.patch(`/iam/tenants/${id}`, suspended), 200)
  const removal = { query: { confirm_slug: 'child', grace_days: '30' } }
  expectStatus(await acme.admin.delete(`/iam/tenants/${id}`, removal), 200)
  await eventually(`tenant/${id}`).toEqual(['tenant.created', 'tenant.suspended', 'tenant.deletion_scheduled'])
})
