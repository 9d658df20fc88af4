import { expect, test } from 'vitest'
import { addressKeys } from './guard.ts'

const keys = (ip: string): readonly string[] => addressKeys(ip).map(({ key }) => key)

test('C06 an IPv4 address counts for itself and for its neighborhood of 256', () => {
  expect(keys('203.0.113.9')).toEqual(['{platform}:login:203.0.113.9', '{platform}:login:203.0.113.*'])
  expect(keys('203.0.113.10')[1]).toBe(keys('203.0.113.9')[1])
  expect(keys('203.0.114.9')[1]).not.toBe(keys('203.0.113.9')[1])
})

test('an IPv4 address in IPv6 form is the same address', () => {
  expect(keys('::ffff:203.0.113.9')).toEqual(keys('203.0.113.9'))
})

test('C06 an IPv6 subscriber counts by its /64', () => {
  expect(keys('2001:db8:1:2::1')).toEqual(keys('2001:db8:1:2:ffff::9'))
  expect(keys('2001:db8:1:3::1')).not.toEqual(keys('2001:db8:1:2::1'))
})

test('what is no address shares one count', () => {
  expect(keys('unknown')).toEqual(['{platform}:login:unknown'])
})
