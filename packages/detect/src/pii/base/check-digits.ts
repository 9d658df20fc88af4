/**
 * Check-digit schemes shared by many identifiers.
 * Promises plain arithmetic on compact strings of ASCII digits; does not know any identifier.
 * Tested in check-digits.test.ts with the worked examples of the standards.
 */

/** Digit at a position, counted from the left. */
export const digitAt = (text: string, index: number): number => text.charCodeAt(index) - 48

/** Sum of digit times weight over the first `weights.length` digits. */
export function weightedSum(text: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i += 1) sum += digitAt(text, i) * (weights[i] ?? 0)
  return sum
}

/** Luhn check (ISO/IEC 7812-1 annex B). */
export function luhnHolds(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digitAt(digits, digits.length - 1 - i)
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

// Multiplication in the dihedral group D5 and the position permutation (J. Verhoeff, 1969).
const dihedral = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const permutation = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Verhoeff check over the whole number, check digit last. */
export function verhoeffHolds(digits: string): boolean {
  let state = 0
  for (let i = 0; i < digits.length; i += 1) {
    const permuted = digitAt(permutation[i % 8] ?? '', digitAt(digits, digits.length - 1 - i))
    state = digitAt(dihedral[state] ?? '', permuted)
  }
  return state === 0
}

/** ISO 7064 MOD 11,10 over the whole number, check digit last. */
export function mod11And10Holds(digits: string): boolean {
  let product = 10
  for (let i = 0; i < digits.length - 1; i += 1) {
    const sum = (digitAt(digits, i) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1)
}

/** Remainder of a decimal number of any length. */
export function remainder(digits: string, modulus: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i += 1) rest = (rest * 10 + digitAt(digits, i)) % modulus
  return rest
}

/** ISO 7064 MOD 97-10 over an IBAN with its first four characters moved to the end, letters counting 10 to 35. */
export function mod97Holds(compact: string): boolean {
  let rest = 0
  for (let i = 0; i < compact.length; i += 1) {
    const code = compact.charCodeAt((i + 4) % compact.length)
    rest = code < 58 ? (rest * 10 + code - 48) % 97 : (rest * 100 + code - 55) % 97
  }
  return rest === 1
}

/** EAN-13 / GTIN check digit, weights 1 and 3 from the left. */
export const ean13Holds = (digits: string): boolean =>
  weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0

/** Check digit `11 - sum mod 11`, with 10 and 11 written as given (usually 0); -1 never holds. */
export function mod11Digit(sum: number, ten: number, eleven = 0): number {
  const digit = 11 - (sum % 11)
  return digit === 11 ? eleven : digit === 10 ? ten : digit
}

/** Whether all characters are the same, which no issued number is. */
export const isOneDigit = (digits: string): boolean => {
  for (let i = 1; i < digits.length; i += 1) if (digits[i] !== digits[0]) return false
  return true
}
