import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ean13Holds, luhnHolds, mod11And10Holds, mod97Holds, remainder, verhoeffHolds } from './check-digits.ts'

describe('check digits', () => {
  test('worked examples hold', () => {
    // ISO/IEC 7812-1 annex B; Verhoeff's thesis by way of Wikipedia (236 -> 3); ISO 7064 (0794 -> 5); ECBS; GS1.
    expect(luhnHolds('79927398713')).toBe(true)
    expect(verhoeffHolds('2363')).toBe(true)
    expect(mod11And10Holds('07945')).toBe(true)
    expect(mod97Holds('GB82WEST12345698765432')).toBe(true)
    expect(ean13Holds('4006381333931')).toBe(true)
  })

  test.each([
    ['Luhn', luhnHolds, '4111111111111111'],
    ['Verhoeff', verhoeffHolds, '234123412346'],
    ['ISO 7064 MOD 11,10', mod11And10Holds, '36574261809'],
  ] as const)('%s notices any one changed digit', (_name, holds, number) => {
    fc.assert(
      fc.property(fc.nat(number.length - 1), fc.integer({ min: 1, max: 9 }), (place, step) => {
        const digit = (Number(number[place]) + step) % 10
        expect(holds(number.slice(0, place) + digit + number.slice(place + 1))).toBe(false)
      }),
    )
  })

  test('Verhoeff notices any swap of two neighbors', () => {
    fc.assert(
      fc.property(fc.nat(10), (place) => {
        const number = '234123412346'
        const [a = '', b = ''] = [number[place], number[place + 1]]
        expect(verhoeffHolds(number.slice(0, place) + b + a + number.slice(place + 2))).toBe(a === b)
      }),
    )
  })

  test('the remainder of a long number equals that of exact arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 2, max: 97 }), (number, modulus) => {
        expect(remainder(String(number), modulus)).toBe(Number(number % BigInt(modulus)))
      }),
    )
  })
})
