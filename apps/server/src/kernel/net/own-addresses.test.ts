import { describe, expect, test } from 'vitest'
import { createOwnAddresses } from './own-addresses.ts'

const local = () => ['127.0.0.1', '10.20.0.7', 'fd00::7']
const every = (address: string) => {
  const own = createOwnAddresses('https://parapet.example', local)
  own.listens({ address, port: 8080 })
  return own
}

describe('C55 a socket on every interface is reached', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '0.0.0.0',
    '::',
    '10.20.0.7',
    '::ffff:10.20.0.7',
    'fd00::7',
    'FD00:0::7',
  ])('at %s', (address) => {
    for (const bound of ['0.0.0.0', '::']) {
      expect(every(bound).hasAddress(address, 8080)).toBe(true)
      expect(every(bound).hasAddress(address, 8081)).toBe(false)
    }
  })

  test.each(['10.20.0.8', '8.8.8.8', 'no address'])('and not at %s', (address) => {
    expect(every('0.0.0.0').hasAddress(address, 8080)).toBe(false)
  })
})

test('C55 a socket on one address is reached there alone', () => {
  const own = every('10.20.0.7')
  expect(own.hasAddress('::ffff:10.20.0.7', 8080)).toBe(true)
  expect(own.hasAddress('127.0.0.1', 8080)).toBe(false)
})

test('C55 an interface that comes later counts', () => {
  const addresses = ['127.0.0.1']
  const own = createOwnAddresses('https://parapet.example', () => addresses)
  own.listens({ address: '::', port: 8080 })
  expect(own.hasAddress('192.168.1.5', 8080)).toBe(false)
  addresses.push('192.168.1.5')
  expect(own.hasAddress('192.168.1.5', 8080)).toBe(true)
})

test.each([
  ['https://parapet.example', 'parapet.example', 443, true],
  ['https://parapet.example', 'parapet.example', 8443, false],
  ['https://parapet.example', 'api.parapet.example', 443, false],
  ['http://localhost:8080', 'localhost', 8080, true],
  ['http://localhost:8080', 'localhost', 11434, false],
  ['http://[fd00::7]:8080', 'fd00:0::7', 8080, true],
  ['http://10.20.0.7', '::ffff:10.20.0.7', 80, true],
])('C55 the public URL %s is at %s on port %i: %s', (publicUrl, host, port, expected) => {
  const own = createOwnAddresses(publicUrl, local)
  expect(own.hasName(host, port) && own.hasAddress(host, port)).toBe(expected)
})
