import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { noteDay } from './day.ts'
import { signLicense } from './testing/licenses.ts'

let world: World
let alpha: TestTenant
let beta: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  beta = await world.tenant('beta')
})
afterAll(() => world.close())

const install = (license: string, more: object = {}) => alpha.admin.post('/admin/licenses', { license, ...more })
const list = async (tenant: TestTenant) => expectStatus(await tenant.admin.get('/admin/licenses'), 200).body
const invite = (n: number, tenant = alpha) =>
  tenant.admin.post('/iam/users', { email: `seat-${n}@${tenant.slug}.example`, role_ids: [viewer[tenant.slug]] })
const viewer: Record<string, string> = {}
const at = (ms: number) => new Date(world.kernel.clock.now() + ms).toISOString()
const day = 86_400_000

test('without a license the built-in one counts, without limits, and cannot be removed', async () => {
  for (const tenant of [alpha, beta]) {
    const roles = expectStatus(await tenant.admin.get('/iam/roles'), 200).body.data
    viewer[tenant.slug] = roles.find(({ name }: { name: string }) => name === 'viewer').id
  }
  const { data, meta } = await list(alpha)
  expect(data).toMatchObject([{ source: 'builtin', status: 'active', seats: null, expires_at: null }])
  expect(meta).toMatchObject({ active: data[0].id, entitlements: { all: true } })
  expectStatus(await invite(1), 201)
  expect(await alpha.admin.delete(`/admin/licenses/${data[0].id}`)).toMatchObject({
    status: 409,
    body: { error_code: 'ADM-008' },
  })
})

const other = generateKeyPairSync('ed25519').privateKey
const edited = (): string => {
  const [header, , signature] = signLicense({}).split('.')
  const claims = Buffer.from(JSON.stringify({ license_id: 'x', seats: 999 })).toString('base64url')
  return `${header}.${claims}.${signature}`
}
const unsigned = (): string =>
  `${signLicense({}, { header: { alg: 'none' } })
    .split('.')
    .slice(0, 2)
    .join('.')}.`

test.each([
  ['signed with another key', () => signLicense({}, { key: other }), 'signature'],
  ['of a distributor nobody knows', () => signLicense({}, { header: { kid: 'who' } }), 'key'],
  ['without a key id', () => signLicense({}, { header: { kid: undefined } }), 'key'],
  [
    'whose key it brings along',
    () => signLicense({}, { key: other, header: { jwk: other.export({ format: 'jwk' }) } }),
    'signature',
  ],
  ['with alg none', unsigned, 'signature'],
  ['with alg HS256', () => signLicense({}, { header: { alg: 'HS256' } }), 'signature'],
  ['whose claims were edited', edited, 'signature'],
  ['that has expired', () => signLicense({ expires_at: '2021-01-01T00:00:00.000Z' }), 'expired'],
  ['that is not valid yet', () => signLicense({ not_before: '2099-01-01T00:00:00.000Z' }), 'yet'],
  ['with a claim too many', () => signLicense({ more: 1 }), 'as a license has it'],
  ['that is none', () => 'a.b.c', 'signature'],
])('a license %s is refused', async (_what, make, why) => {
  const refused = await install(make())
  expect(refused).toMatchObject({ status: 422, body: { error_code: 'ADM-007', detail: expect.stringContaining(why) } })
  expect((await list(alpha)).data).toHaveLength(1)
})

test('a license counts from its installation on, the newest first, and a removed one no more', async () => {
  const tried = expectStatus(await install(signLicense({ license_id: 'a', seats: 500 }), { dry_run: true }), 201)
  expect(tried.body.data).toMatchObject({ license_id: 'a', status: 'active', usage: { over: false } })
  expect((await list(alpha)).data).toHaveLength(1)
  const first = expectStatus(await install(signLicense({ license_id: 'a', seats: 500 })), 201).body.data
  expect((await install(signLicense({ license_id: 'a' }))).body.error_code).toBe('API-011')
  const second = expectStatus(await install(signLicense({ license_id: 'b', seats: 500 })), 201).body.data
  const { data, meta } = await list(alpha)
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['active', 'superseded', 'superseded'])
  expect(meta.active).toBe(second.id)
  expect((await list(beta)).data).toHaveLength(1)
  const removed = expectStatus(await alpha.admin.delete(`/admin/licenses/${second.id}`), 200).body.data
  expect(removed).toEqual({ id: second.id, deleted: true, now_active: first.id })
  expectStatus(await alpha.admin.delete(`/admin/licenses/${first.id}`), 200)
})

test('seats bound new people only, and not those of another tenant', async () => {
  const license = expectStatus(await install(signLicense({ license_id: 'seats', seats: 3 })), 201).body.data
  expect(license.usage).toEqual({ seats_used: 2, over: false })
  expectStatus(await invite(2), 201)
  expect(await invite(3)).toMatchObject({ status: 422, body: { error_code: 'IAM-009' } })
  expectStatus(await invite(3, beta), 201)
  expectStatus(await alpha.admin.get('/iam/users'), 200)
  expectStatus(await alpha.admin.delete(`/admin/licenses/${license.id}`), 200)
  expectStatus(await invite(3), 201)
})

test('what has expired refuses new seats after its grace and nothing else, and is told once', async () => {
  const services = world.program.assembled.modules.servicesOf('admin') as AdminServices
  const ending = signLicense({ license_id: 'ending', expires_at: at(10 * day), grace_days: 5 })
  expectStatus(await install(ending), 201)
  await noteDay(services, alpha.id)
  const { clock } = world.kernel
  const { now, iso } = clock
  const later = async (ms: number, run: () => Promise<void>) => {
    // A session would end of itself in that time, so only what reads licenses is moved on.
    Object.assign(clock, { now: () => now() + ms, iso: () => new Date(now() + ms).toISOString() })
    try {
      await run()
    } finally {
      Object.assign(clock, { now, iso })
    }
  }
  const { seats } = services
  await later(12 * day, async () => expect(seats.limit(alpha.id)).toBeNull())
  await later(16 * day, async () => {
    expect(seats.limit(alpha.id)).toBe(0)
    expect(seats.limit(beta.id)).toBeNull()
    await noteDay(services, alpha.id)
    await noteDay(services, alpha.id)
  })
  const { meta } = await list(alpha)
  expect(meta.seats_by_day.length).toBe(2)
})
