import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactJson, nearestNumber, parseExact } from './exact-json.ts'

const through = (json: string): string => exactJson(parseExact(json))

test.each([
  '{"id":1234567890123456789}',
  '{"a":[9223372036854775807,-9223372036854775808,18446744073709551615]}',
  '12345678901234567890',
  '[9007199254740993]',
  '{"a":{"b":{"maximum":170141183460469231731687303715884105727}},"c":1}',
  '{"text":"1234567890123456789, \\"1234567890123456789\\" \\\\","id":1234567890123456789}',
  '[9007199254740991,0.1,-0.1234567890123456,true,null,"x"]',
  `[${'9'.repeat(400)}]`,
])('%s goes through as it is', (json) => {
  expect(through(json)).toBe(json)
})

test.each([
  ['{"a": 1234567890123456789 }', '{"a":1234567890123456789}'],
  ['[1234567890123456789.0]', '[1234567890123456800]'],
  ['[1.0,1234567890123456789e2]', '[1,123456789012345680000]'],
  ['[9007199254740992]', '[9007199254740992]'],
])('%s becomes %s', (json, written) => {
  expect(through(json)).toBe(written)
})

test('a number that is kept by itself is a number', () => {
  expect(parseExact('[9007199254740992, 7, 1234567890123456789]')).toEqual([9007199254740992, 7, expect.any(String)])
})

test.each([
  '[01234567890123456789]',
  '{"a":1234567890123456789',
  '[1234567890123456789 2]',
  '[-]',
  '"1234567890123456789',
  '[12345678901234567-1]',
])('%s is no JSON', (json) => {
  expect(() => parseExact(json)).toThrow(SyntaxError)
})

test('a text that only looks like it stays a text', () => {
  for (const text of ['\uFDD0', 'a\uFDD01\uFDD0', '1234567890123456789'])
    expect(through(JSON.stringify({ text }))).toBe(JSON.stringify({ text }))
})

test('what takes the place of a number is a text without a trace of it', () => {
  const [long] = parseExact('[1234567890123456789]') as [string]
  expect(exactJson({ id: long.replace(/\d+/, '⟦ID_1⟧') })).toBe('{"id":"⟦ID_1⟧"}')
})

test('what compares numbers gets the nearest', () => {
  const [long] = parseExact('[1234567890123456789]') as [string]
  expect(nearestNumber(long)).toBe(1234567890123456800)
  expect(nearestNumber('12')).toBe('12')
})

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(parseExact(json)).toEqual(JSON.parse(json))
    }),
  )
})

test('any whole numbers come out as they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.bigInt(), fc.string())), (values) => {
      const json = `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join(',')}]`
      const same = values.every(
        (value) => typeof value === 'string' || BigInt(Number(value)) !== value || value < 10n ** 21n,
      )
      if (same) expect(through(json)).toBe(json)
    }),
  )
})
