import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { addressDatabase } from '../../../kernel/ip-country/testing/database.ts'

let world: OwnWorld
let tenant: TestTenant
const folder = mkdtempSync(join(tmpdir(), 'parapet-country-'))

beforeAll(async () => {
  const path = join(folder, 'countries.mmdb')
  const networks = [
    ['192.0.2.0/24', { country: { iso_code: 'DE' } }],
    ['2001:db8::/32', { country: { iso_code: 'NO' } }],
  ] as const
  writeFileSync(path, addressDatabase(networks, new Date()))
  world = await openWorld({
    environment: { PARAPET_IP_COUNTRY_FILE: path, PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  tenant = await world.tenant('places')
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

const signInFrom = async (ip: string) => {
  const body = { email: 'admin@places.example', password }
  const answer = await world.stranger.post('/auth/login', body, { headers: { 'x-forwarded-for': ip } })
  return world.stranger.with(expectStatus(answer, 200).body.data.access_token)
}
const sessions = async (query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get('/iam/sessions', { query }), 200).body.data

test('a session tells the country it was opened in, and is found by it', async () => {
  const here = await signInFrom('192.0.2.7')
  await signInFrom('2001:db8::7')
  await signInFrom('198.51.100.7')
  const seen = (await sessions()).map(({ ip, ip_country }: { ip: string; ip_country: string | null }) => [
    ip,
    ip_country,
  ])
  expect(seen).toEqual(
    expect.arrayContaining([
      ['192.0.2.7', 'DE'],
      ['2001:db8::7', 'NO'],
      ['198.51.100.7', null],
    ]),
  )
  const { session_id } = expectStatus(await here.get('/auth/me'), 200).body.data
  const inGermany = await sessions({ ip_country: 'DE' })
  expect(inGermany.map(({ id }: { id: string }) => id)).toEqual([session_id])
  expect((await tenant.admin.get('/iam/sessions', { query: { ip_country: 'germany' } })).status).toBe(400)
})

test('health tells that there is a file, and how old', async () => {
  const query = { checks: 'ip_countries' }
  const { checks } = expectStatus(await world.operator.get('/admin/health', { query }), 200).body.data
  expect(checks.ip_countries).toMatchObject({ status: 'pass', observed: { configured: true, days_old: 0 } })
})
