import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseArray } from './array-text.ts'
import { encodeValue, isoTimestamp, safeInteger, valueTypes } from './values.ts'

const same = (text: string): string => text

test('what encodeValue writes as an array, parseArray reads back', () => {
  const element = fc.option(fc.string({ unit: 'binary' }), { nil: null })
  fc.assert(
    fc.property(fc.array(element), (items) => {
      expect(parseArray(String(encodeValue(items)), same)).toEqual(items)
    }),
  )
})

test('a nested array comes back nested', () => {
  const row = fc.array(fc.string(), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) => {
      expect(parseArray(String(encodeValue(rows)), same)).toEqual(rows)
    }),
  )
})

test.each(['', '{', '{"a', '{a', '{a}b', 'a', '{{a}'])('%j is no array', (text) => {
  expect(() => parseArray(text, same)).toThrow(SyntaxError)
})

test('every instant of a four-digit year reads as Date would write it', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (instant) => {
      const iso = instant.toISOString()
      const printed = `${iso.slice(0, 10)} ${iso.slice(11, 19)}${iso.slice(19, 23).replace(/\.?0+$/, '')}+00`
      expect(isoTimestamp(printed)).toBe(iso)
    }),
  )
})

test.each(['infinity', '-infinity', '0044-03-15 00:00:00+00 BC', '10000-01-01 00:00:00+00'])(
  '%s stays as it is',
  (text) => {
    expect(isoTimestamp(text)).toBe(text)
  },
)

test('integers are exact or refused', () => {
  expect(safeInteger('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER)
  expect(() => safeInteger('9007199254740992')).toThrow(RangeError)
})

describe('parameters', () => {
  test.each([undefined, () => 1, Symbol('x')])('%s is refused', (value) => {
    expect(() => encodeValue(value)).toThrow(TypeError)
    expect(() => encodeValue([value])).toThrow(TypeError)
  })

  test('a view of a larger block sends its own bytes only', () => {
    const block = new Uint8Array([1, 2, 3, 4])
    expect(encodeValue(block.subarray(1, 3))).toEqual(Buffer.from([2, 3]))
  })

  test('times and objects travel as text', () => {
    expect(encodeValue(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(encodeValue({ a: 1 })).toBe('{"a":1}')
    expect(encodeValue(10n ** 20n)).toBe('100000000000000000000')
  })
})

test('a type nobody listed stays text', () => {
  expect(valueTypes.getTypeParser(999_999)('(1,2)')).toBe('(1,2)')
})
