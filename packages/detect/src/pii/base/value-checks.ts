/**
 * Check digits by name, for values described by the caller. Promises that separators between the characters of
 * a value do not matter, and that a value a scheme is not for does not pass. Tested in value-checks.test.ts.
 */
import {
  ean13Holds,
  isOneDigit,
  luhnHolds,
  mod11And10Holds,
  mod97Holds,
  remainder,
  verhoeffHolds,
} from './check-digits.ts'

const digitsOf = (value: string): string => value.replace(/\D/g, '')
const lettersOf = (value: string): string => value.toUpperCase().replace(/[^0-9A-Z]/g, '')

const overDigits =
  (least: number, holds: (digits: string) => boolean) =>
  (value: string): boolean => {
    const digits = digitsOf(value)
    return digits.length >= least && !isOneDigit(digits) && holds(digits)
  }

const checks = {
  /** ISO/IEC 7812-1. */
  luhn: overDigits(2, luhnHolds),
  verhoeff: overDigits(2, verhoeffHolds),
  /** ISO 7064 MOD 11,10. */
  mod_11_10: overDigits(2, mod11And10Holds),
  /** ISO 7064 MOD 97-10 over the digits, the two check digits last. */
  mod_97_10: overDigits(3, (digits) => remainder(digits, 97) === 1),
  ean_13: overDigits(13, (digits) => digits.length === 13 && ean13Holds(digits)),
  /** ISO 13616: letters count, and the first four characters go to the end. */
  iban: (value: string): boolean => {
    const compact = lettersOf(value)
    return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact) && mod97Holds(compact)
  },
} as const

export type ValueCheck = keyof typeof checks
export const valueChecks = [
  'luhn',
  'verhoeff',
  'mod_11_10',
  'mod_97_10',
  'ean_13',
  'iban',
] as const satisfies readonly ValueCheck[]

/** Whether the check digits of the value hold. */
export function valueHolds(check: ValueCheck, value: string): boolean {
  return checks[check](value)
}
