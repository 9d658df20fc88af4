import { WebAuthnEmulator } from 'nid-webauthn-emulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'

const origin = 'https://parapet.example'
let world: OwnWorld
let tenant: TestTenant
let viewer: string

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_PUBLIC_URL: origin } })
  tenant = await world.tenant('acme')
  viewer = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
})
afterAll(() => world.close())

async function invited(name: string) {
  const email = `${name}@acme.example`
  const made = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [viewer] }), 201).body.data
  return { id: String(made.id), email, token: String(made.invitation_url).split('#')[1] ?? '' }
}

const options = (invitation_token: string) =>
  world.stranger.post('/auth/passkeys/registration-options', { invitation_token })
const accept = (body: object) => world.stranger.post('/auth/invitations/accept', body)
const makeKey = async (device: WebAuthnEmulator, token: string) =>
  device.createJSON(origin, expectStatus(await options(token), 200).body.data)

async function signIn(device: WebAuthnEmulator) {
  const asked = expectStatus(await world.stranger.post('/auth/passkeys/authentication-options', {}), 200).body.data
  return world.stranger.post('/auth/passkeys/login', { credential: device.getJSON(origin, asked) })
}

describe('an invitation', () => {
  test('is accepted with a passkey, which then opens the account without any password', async () => {
    const ada = await invited('ada')
    const device = new WebAuthnEmulator()
    const credential = await makeKey(device, ada.token)
    const accepted = expectStatus(await accept({ token: ada.token, credential, display_name: 'Ada' }), 200).body.data
    expect(accepted).toMatchObject({ id: ada.id, email: ada.email, status: 'active' })
    expect(accepted.recovery_codes).toHaveLength(10)
    const { access_token } = expectStatus(await signIn(device), 200).body.data
    const client = world.stranger.with(access_token)
    const me = (await client.get('/auth/me')).body.data
    expect(me).toMatchObject({ user: { display_name: 'Ada' }, mfa: { enrolled: true, methods: ['passkey'] } })
    expect((await world.stranger.post('/auth/login', { email: ada.email, password })).body.error_code).toBe('AUTH-007')
    const only = await client.delete(`/auth/mfa/${me.factors[0].id}`)
    expect([only.status, only.body.error_code]).toEqual([409, 'IAM-007'])
  })

  test('that was taken with a passkey can be ended and begun again by an administrator, and is nobody else’s', async () => {
    const bea = await invited('bea')
    const device = new WebAuthnEmulator()
    const credential = await makeKey(device, bea.token)
    expectStatus(await accept({ token: bea.token, credential }), 200)
    expectStatus(await tenant.admin.patch(`/iam/users/${bea.id}`, { status: 'deactivated' }), 200)
    expect((await signIn(device)).status).toBe(401)
    const again = await tenant.admin.post('/iam/users', { email: bea.email, role_ids: [viewer] })
    expect(again.body.error_code).toBe('IAM-001')
    expectStatus(await tenant.admin.patch(`/iam/users/${bea.id}`, { status: 'active' }), 200)
    expect((await signIn(device)).status).toBe(200)
  })

  test('takes no key that was made for another one, and none twice', async () => {
    const [cem, dan] = [await invited('cem'), await invited('dan')]
    const device = new WebAuthnEmulator()
    const credential = await makeKey(device, cem.token)
    expect((await accept({ token: dan.token, credential })).body.error_code).toBe('AUTH-015')
    expectStatus(await accept({ token: cem.token, credential }), 200)
    expect((await accept({ token: cem.token, credential })).body.error_code).toBe('AUTH-002')
    expectStatus(await accept({ token: dan.token, password }), 200)
  })

  test('asks for one of both, and gives options to who has its link', async () => {
    const eve = await invited('eve')
    expect((await accept({ token: eve.token })).body.errors[0].pointer).toBe('/password')
    const credential = await makeKey(new WebAuthnEmulator(), eve.token)
    expect((await accept({ token: eve.token, password, credential })).status).toBe(400)
    expect((await options('no such token')).body.error_code).toBe('AUTH-002')
    const both = { invitation_token: eve.token, enrollment_token: 'x' }
    expect((await world.stranger.post('/auth/passkeys/registration-options', both)).status).toBe(400)
  })

  test('is accepted with a password alone where the tenant allows no passkeys', async () => {
    const strict = await world.tenant('strict')
    const settings = { mfa_allowed_methods: ['totp'] }
    expectStatus(await world.operator.patch(`/iam/tenants/${strict.id}`, { settings }), 200)
    const role = (await strict.admin.get('/iam/roles?q=viewer')).body.data[0].id
    const made = await strict.admin.post('/iam/users', { email: 'fay@strict.example', role_ids: [role] })
    const token = expectStatus(made, 201).body.data.invitation_url.split('#')[1]
    expect((await options(token)).body.error_code).toBe('API-011')
  })
})
