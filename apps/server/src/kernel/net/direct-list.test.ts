import { expect, test } from 'vitest'
import { createDirectList } from './direct-list.ts'

const list = createDirectList([
  'Example.com',
  '.below.example',
  '*.star.example',
  '10.0.0.0/8',
  '192.0.2.7',
  'fd00::/8',
  '::5',
])

test.each(['example.com', 'a.example.com', 'x.below.example', 'a.b.star.example', 'localhost', 'api.localhost'])(
  '%s is on the list',
  (name) => expect(list.hasName(name)).toBe(true),
)

test.each(['notexample.com', 'example.com.evil.example', 'below.example', 'star.example', 'example', '10.0.0.1'])(
  '%s is not on it',
  (name) => expect(list.hasName(name)).toBe(false),
)

test.each(['10.1.2.3', '192.0.2.7', 'fd12::1', '::5', '127.0.0.1', '::1'])('%s is on the list', (address) =>
  expect(list.hasAddress(address)).toBe(true),
)

test.each(['11.0.0.1', '192.0.2.8', 'fe80::1', '::6', '::ffff:10.0.0.1', 'example.com'])('%s is not on it', (address) =>
  expect(list.hasAddress(address)).toBe(false),
)

test.each(['10.0.0.0/33', 'http://example.com', 'example.com:443', '1.2', '0x7f.1', 'a..b', '*', 'a.*.example', ''])(
  'the entry %j is refused',
  (entry) => expect(() => createDirectList([entry])).toThrow(RangeError),
)
