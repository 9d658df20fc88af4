import { expect, test } from 'vitest'
import { isAllowedAddress } from './networks.ts'

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['10.1.2.3', ['192.0.2.1', '10.1.2.3'], true],
  ['10.1.2.4', ['10.1.2.3'], false],
  ['2001:db8::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['2001:DB8:0:0::5', ['2001:db8::5'], true],
  ['10.1.2.3', ['::/0'], false],
  ['::1', ['0.0.0.0/0'], false],
  ['203.0.113.9', ['0.0.0.0/0'], true],
])('%s in %j: %s', (ip, networks, allowed) => {
  expect(isAllowedAddress(ip, networks)).toBe(allowed)
})

test('no list allows every address', () => {
  expect(isAllowedAddress('203.0.113.9', [])).toBe(true)
})

test('what cannot be read is in no network', () => {
  for (const ip of ['', '010.0.0.1', '0x0a000001', '10.1', '167772161', '10.0.0.1, 10.0.0.2', 'localhost']) {
    expect(isAllowedAddress(ip, ['10.0.0.0/8', '127.0.0.0/8'])).toBe(false)
  }
  for (const network of [
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10/8',
    '10.0.0.0/8 ',
    '::/129',
  ]) {
    expect(isAllowedAddress('10.0.0.1', [network])).toBe(false)
  }
})
