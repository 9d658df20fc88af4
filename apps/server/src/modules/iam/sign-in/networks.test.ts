import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { commonNetworks, isAllowedAddress } from '../../../kernel/net/networks.ts'

let world: OwnWorld
let acme: TestTenant
beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  acme = await world.tenant('acme')
})
afterAll(() => world.close())

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const login = (ip: string, secret = password) =>
  world.stranger.post('/auth/login', { email: 'admin@acme.example', password: secret }, from(ip))
const settings = (login_allowed_cidrs: readonly string[] | null, as = acme.admin, ip = '203.0.113.5') =>
  as.patch(`/iam/tenants/${acme.id}`, { settings: { login_allowed_cidrs } }, from(ip))

test('people come in, and go on, from the networks that their tenant names and from no others', async () => {
  const before = expectStatus(await login('198.51.100.9'), 200).body.data
  expectStatus(await settings(['203.0.113.0/24', '2001:db8::/32']), 200)
  expect((await login('198.51.100.9')).body).toMatchObject({ status: 403, error_code: 'AUTH-011' })
  // Only who has proven who they are learns of it.
  expect((await login('198.51.100.9', 'wrong')).body.error_code).toBe('AUTH-007')
  const renew = (ip: string) => world.stranger.post('/auth/refresh', { refresh_token: before.refresh_token }, from(ip))
  expect((await renew('198.51.100.9')).body.error_code).toBe('AUTH-011')
  expectStatus(await renew('203.0.113.77'), 200)
  for (const ip of ['203.0.113.6', '2001:db8:9::1']) expectStatus(await login(ip), 200)
})

test('a tenant above narrows the networks, and nothing widens them', async () => {
  expectStatus(await settings(['203.0.113.0/24']), 200)
  const above = `/iam/tenants/${world.root.id}`
  const root = (networks: readonly string[] | null) =>
    world.operator.patch(above, { settings: { login_allowed_cidrs: networks } }, from('203.0.113.130'))
  expectStatus(await root(['203.0.113.128/25', '192.0.2.0/24']), 200)
  const { effective_settings } = expectStatus(await acme.admin.get(`/iam/tenants/${acme.id}`), 200).body.data
  expect(effective_settings.login_allowed_cidrs).toEqual(['203.0.113.128/25'])
  expect((await login('203.0.113.6')).body.error_code).toBe('AUTH-011')
  expectStatus(await login('203.0.113.200'), 200)
  expectStatus(await root(null), 200)
  expectStatus(await login('203.0.113.6'), 200)
})

test('nobody shuts themselves out, and what is no network is refused by its place', async () => {
  const outside = await settings(['192.0.2.0/24'])
  expect([outside.status, outside.body.errors[0].pointer]).toEqual([400, '/settings/login_allowed_cidrs'])
  const wrong = await settings(['203.0.113.0/24', '203.0.113.0/99'])
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/settings/login_allowed_cidrs/1'])
  expectStatus(await settings(null), 200)
  expectStatus(await login('198.51.100.10'), 200)
})

test('networks in common hold exactly the addresses that both lists hold', () => {
  const network = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 24, max: 32 }))
    .map(([last, bits]) => `192.0.2.${last & (256 - 2 ** (32 - bits))}/${bits}`)
  const list = fc.array(network, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(list, list, fc.integer({ min: 0, max: 255 }), (some, others, last) => {
      const ip = `192.0.2.${last}`
      const common = commonNetworks(some, others)
      const both = isAllowedAddress(ip, some) && isAllowedAddress(ip, others)
      expect(common.length > 0 && isAllowedAddress(ip, common)).toBe(both)
    }),
  )
})
