import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ceilDiv, formatAmount, parseAmount, shiftDecimal } from './amounts.ts'

const nano = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })

describe('an amount', () => {
  test('is read and written back as it was, whatever its size', () => {
    fc.assert(
      fc.property(nano, (value) => {
        expect(parseAmount(formatAmount(value))).toBe(value)
      }),
    )
  })

  test('is written without digits that say nothing', () => {
    expect(['1.500000000', '0.000000001', '12', '-0.25', '0.0'].map(parseAmount).map(formatAmount)).toEqual([
      '1.5',
      '0.000000001',
      '12',
      '-0.25',
      '0',
    ])
  })

  test.each(['', '1e3', '.5', '1.', '1.0000000001', '0x10', ' 1', 'NaN'])('is not %j', (text) => {
    expect(() => parseAmount(text)).toThrow(RangeError)
  })
})

describe('rounding', () => {
  test('goes up, and by less than one', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (dividend, divisor) => {
          const result = ceilDiv(dividend, divisor)
          expect(result * divisor >= dividend).toBe(true)
          expect((result - 1n) * divisor < dividend).toBe(true)
        },
      ),
    )
  })
})

describe('moving the point', () => {
  test.each([
    ['1.5e-7', 6, '0.15'],
    ['2.5e-06', 6, '2.5'],
    ['0.00025', 4, '2.5'],
    ['5.46875e-07', 6, '0.546875'],
    ['3', 0, '3'],
    ['0.0', 6, '0'],
    ['1e-15', 6, '0.000000001'],
  ])('%s by %i is %s', (text, places, moved) => {
    expect(shiftDecimal(text, places)).toBe(moved)
  })

  test('keeps the digits of every float somebody may write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 5 }), (digits, places) => {
        const perMillion = digits / 10 ** places
        const perToken = `${digits}e-${places + 6}`
        expect(Number(shiftDecimal(perToken, 6))).toBe(perMillion)
        expect(shiftDecimal(String(JSON.parse(perToken)), 6)).toBe(shiftDecimal(perToken, 6))
      }),
    )
  })

  test.each(['-1', 'x', '1e-16', '1e99'])('refuses %s', (text) => {
    expect(() => shiftDecimal(text, 6)).toThrow(RangeError)
  })
})
