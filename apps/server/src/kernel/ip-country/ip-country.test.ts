import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IpCountries, ipCountryCheck, openIpCountries } from './ip-country.ts'
import { addressDatabase } from './testing/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'parapet-countries-'))
const builtAt = new Date('2026-01-01T00:00:00Z')
const day = (n: number) => builtAt.getTime() + n * 86_400_000
let countries: IpCountries

const open = (networks: Parameters<typeof addressDatabase>[0]): IpCountries => {
  const path = join(folder, 'countries.mmdb')
  writeFileSync(path, addressDatabase(networks, builtAt))
  return openIpCountries(path)
}

beforeAll(() => {
  countries = open([
    ['192.0.2.0/24', { country: { iso_code: 'DE' } }],
    ['192.0.2.128/25', { country: { iso_code: 'FR' } }],
    ['198.51.100.0/24', { country_code: 'US' }],
    ['203.0.113.0/24', { continent: { code: 'EU' } }],
    ['2001:db8::/32', { country: { iso_code: 'NO' }, registered_country: { iso_code: 'SE' } }],
  ])
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['192.0.2.1', 'DE'],
  ['192.0.2.127', 'DE'],
  ['192.0.2.128', 'FR'],
  ['198.51.100.7', 'US'],
  ['2001:db8::1', 'NO'],
  ['192.0.3.1', null],
  ['203.0.113.9', null],
  ['10.0.0.1', null],
  ['not an address', null],
  [null, null],
])('%s is of %s', (ip, code) => {
  expect(countries.of(ip)).toBe(code)
})

test('a code of another form is none', () => {
  expect(open([['192.0.2.0/24', { country: { iso_code: 'Germany' } }]]).of('192.0.2.1')).toBeNull()
})

test('without a file nobody knows anything, and a file of another kind is refused in words', async () => {
  const none = openIpCountries(null)
  expect([none.of('192.0.2.1'), none.builtAt]).toEqual([null, null])
  const path = join(folder, 'other.csv')
  writeFileSync(path, '192.0.2.0/24,DE\n')
  expect(() => openIpCountries(path)).toThrow("no database of addresses in MaxMind's format")
  expect(() => openIpCountries(join(folder, 'none.mmdb'))).toThrow('none.mmdb')
})

test('its age is told, and is a warning after half a year', async () => {
  const at = (now: number) => ipCountryCheck(countries, () => now).run(AbortSignal.timeout(60_000))
  expect(await at(day(180))).toEqual({ status: 'pass', observed: { configured: true, days_old: 180 } })
  expect(await at(day(181))).toEqual({ status: 'warn', observed: { configured: true, days_old: 181 } })
  const none = await ipCountryCheck(openIpCountries(null), () => day(0)).run(AbortSignal.timeout(60_000))
  expect(none).toEqual({ status: 'pass', observed: { configured: false, days_old: null } })
})
