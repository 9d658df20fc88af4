/** Identifiers of the United States: area and prefix rules, no check digits. */
import { isOneDigit } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

const itin = /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}$/
const ssn = /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/
const itinWords = [
  'itin*',
  'individual taxpayer*',
  'tax id*',
  'taxpayer id*',
  'tin',
  'tax identification number',
  'tax number',
  'tax payer*',
]
const ssnWords = [
  'ssn*',
  's.s.n.',
  'social security*',
  'social sec*',
  'soc sec*',
  'ss#',
  'ss number',
  'ss no',
  'seguro social',
  'social',
  'tax id*',
]

export const unitedStates: readonly Identifier[] = [
  {
    id: 'us-itin',
    type,
    country: 'US',
    layouts: ['000-00-0000', '000 00 0000'],
    // IRS: 9xx, fourth and fifth digit 50-65, 70-88, 90-92, 94-99.
    valid: (id) => itin.test(id),
    context: itinWords,
    chance: 0.6,
    unchecked: true,
  },
  {
    id: 'us-ssn',
    type: 'US_SSN',
    country: 'US',
    layouts: ['000-00-0000', '000 00 0000', '000.00.0000'],
    // SSA: area not 000, 666 or 9xx, group not 00, serial not 0000.
    valid: (id) => ssn.test(id),
    context: ssnWords,
    chance: 0.7,
    unchecked: true,
  },
  {
    id: 'us-itin-unbroken',
    type,
    country: 'US',
    layouts: ['000000000'],
    valid: (id) => itin.test(id),
    context: itinWords,
    chance: 0,
    unchecked: true,
  },
  {
    id: 'us-ssn-unbroken',
    type: 'US_SSN',
    country: 'US',
    layouts: ['000000000'],
    valid: (id) => ssn.test(id),
    context: ssnWords,
    chance: 0,
    unchecked: true,
  },
  {
    id: 'us-ein',
    type: 'US_EIN',
    country: 'US',
    layouts: ['00-0000000'],
    // IRS list of campus prefixes.
    valid: (id) =>
      /^(?:0[1-6]|1[0-6]|2[0-7]|3[0-9]|4[0-8]|5[0-9]|6[0-8]|7[1-7]|8[0-8]|9[0-589])/.test(id) && !isOneDigit(id),
    context: [
      'ein',
      'fein',
      'e.i.n.',
      'employer identification*',
      'employer id*',
      'federal tax id*',
      'tax id*',
      'tax number',
      'tin',
    ],
    chance: 0.3,
    unchecked: true,
  },
  {
    id: 'us-ein-unbroken',
    type: 'US_EIN',
    country: 'US',
    layouts: ['000000000'],
    // IRS list of campus prefixes.
    valid: (id) =>
      /^(?:0[1-6]|1[0-6]|2[0-7]|3[0-9]|4[0-8]|5[0-9]|6[0-8]|7[1-7]|8[0-8]|9[0-589])/.test(id) && !isOneDigit(id),
    context: ['ein', 'fein', 'e.i.n.', 'employer identification*', 'employer id*', 'federal tax id*'],
    chance: 0,
    unchecked: true,
  },
]
