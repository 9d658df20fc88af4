import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allPermissions, missingFrom, permissionSet } from '../../../kernel/access/permissions.ts'
import { isAllowedAddress } from '../../../kernel/net/networks.ts'
import { assertLife, assertNetworks, dayMs, isNarrowing, type KeyReach, keptEnd } from './rules.ts'

const reach: KeyReach = {
  scopes: ['gateway:write'],
  allowed_cidrs: ['10.0.0.0/8'],
  rate_limit_per_minute: 60,
  expires_at: '2026-12-31T00:00:00.000Z',
}

describe('narrowing', () => {
  test.each([
    ['fewer rights', { scopes: ['gateway:read'] }, true],
    ['a smaller network', { allowed_cidrs: ['10.1.0.0/16', '10.2.3.4'] }, true],
    ['a lower rate', { rate_limit_per_minute: 30 }, true],
    ['an earlier end', { expires_at: '2026-12-30T00:00:00.000Z' }, true],
    ['more rights', { scopes: ['gateway:admin'] }, false],
    ['a wider network', { allowed_cidrs: ['10.0.0.0/7'] }, false],
    ['another network', { allowed_cidrs: ['192.168.0.0/16'] }, false],
    ['an IPv6 network beside IPv4', { allowed_cidrs: ['2001:db8::/64'] }, false],
    ['every address', { allowed_cidrs: [] }, false],
    ['no rate', { rate_limit_per_minute: null }, false],
    ['a later end', { expires_at: '2027-01-01T00:00:00.000Z' }, false],
  ])('%s: %j', (_name, change, narrow) => {
    expect(isNarrowing(reach, { ...reach, ...change })).toBe(narrow)
  })

  test('C14 never lets an address or a right through that was not let through before', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const network = fc
      .tuple(fc.constantFrom(10, 11, 192), byte, fc.constantFrom(8, 12, 16, 24, 32))
      .map(([a, b, bits]) => `${a}.${b}.0.1/${bits}`)
    const some = fc.record({
      scopes: fc.subarray([...allPermissions]),
      allowed_cidrs: fc.array(network, { maxLength: 3 }),
      rate_limit_per_minute: fc.option(fc.integer({ min: 1, max: 9 })),
      expires_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'),
    })
    const address = fc
      .tuple(fc.constantFrom(10, 11, 192), byte, fc.constantFrom(0, 7))
      .map(([a, b, c]) => `${a}.${b}.${c}.1`)
    fc.assert(
      fc.property(some, some, fc.array(address, { minLength: 8, maxLength: 8 }), (from, to, addresses) => {
        fc.pre(isNarrowing(from, to))
        expect(missingFrom(permissionSet(from.scopes), permissionSet(to.scopes))).toEqual([])
        for (const ip of addresses) {
          if (isAllowedAddress(ip, to.allowed_cidrs)) expect(isAllowedAddress(ip, from.allowed_cidrs)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})

test.each(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])('%s is a network', (network) => {
  expect(() => assertNetworks([network])).not.toThrow()
})

test.each([
  '10.0.0.0/33',
  '010.0.0.1',
  '10.1',
  '0x7f000001',
  'localhost',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '2001:db8::/129',
])('%s is not a network', (network) => {
  expect(() => assertNetworks([network])).toThrow('CIDR')
})

test('a key ends in the future and within the tenant’s bound', () => {
  const at = (ms: number): string => new Date(ms).toISOString()
  const bounds = { now: 1_000 * dayMs, api_key_max_days: 365, api_key_without_expiry: false }
  expect(() => assertLife(at(bounds.now), bounds)).toThrow('ended already')
  expect(() => assertLife(at(bounds.now + 365 * dayMs), bounds)).not.toThrow()
  expect(() => assertLife(at(bounds.now + 365 * dayMs + 1), bounds)).toThrow('365 days')
  expect(() => assertLife(keptEnd(null), bounds)).toThrow('needs an end')
  const endless = { ...bounds, api_key_without_expiry: true }
  expect(() => assertLife(keptEnd(null), endless)).not.toThrow()
  expect(() => assertLife(at(bounds.now + 366 * dayMs), endless)).toThrow('365 days')
})
