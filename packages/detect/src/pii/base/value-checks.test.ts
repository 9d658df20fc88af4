import { expect, test } from 'vitest'
import { valueChecks, valueHolds } from './value-checks.ts'

// Worked examples: Luhn of ISO/IEC 7812-1 (79927398713), Verhoeff (2363), ISO 7064 MOD 11,10 (0794, its own), MOD 97-10
// (ISO 7064: 794 has the check digits 44), GTIN of GS1 (4006381333931), IBAN of ISO 13616 (GB82 WEST ...).
const examples = {
  luhn: '7992-7398-713',
  verhoeff: '236 3',
  mod_11_10: '0794 5',
  mod_97_10: 'No. 794/44',
  ean_13: '4 006381 333931',
  iban: 'gb82 WEST 1234 5698 7654 32',
}

test.each(valueChecks)('%s holds for its example, and for none with another last digit', (check) => {
  const value = examples[check]
  expect(valueHolds(check, value)).toBe(true)
  const last = Number(value.at(-1))
  for (let other = 0; other < 10; other += 1)
    if (other !== last) expect(valueHolds(check, value.slice(0, -1) + other)).toBe(false)
})

test.each(valueChecks)('%s does not hold for what is no number of its kind', (check) => {
  for (const value of ['', 'abc', '0', '0000000000000', '-']) expect(valueHolds(check, value)).toBe(false)
})
