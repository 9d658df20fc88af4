/** Numbers of devices and vehicles with check digits. */
import { isOneDigit, luhnHolds } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

export const devices: readonly Identifier[] = [
  {
    id: 'imei',
    type: 'IMEI',
    // 3GPP TS 23.003: type allocation code, serial number, Luhn digit.
    layouts: [
      '000000000000000',
      '00-000000-000000-0',
      '00 000000 000000 0',
      '000000-00-000000-0',
      '000000 00 000000 0',
    ],
    valid: (id) => /^(?:0[1-9]|[1-9]\d)/.test(id) && !isOneDigit(id) && luhnHolds(id),
    context: ['imei*', 'device imei*', 'handset*', 'imei no*', '国际移动*', '串号*'],
    chance: 0.35,
  },
]

// 49 CFR 565.15 table III: letters I, O and Q are not used.
const vinValues = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Check digit in the ninth place; North America demands it, elsewhere any letter may stand there. */
export function vinHolds(vin: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i += 1) {
    const index = vinValues.indexOf(vin[i] ?? '')
    if (index < 0 || vin[i] === '.') return false
    sum += (index % 10) * (vinWeights[i] ?? 0)
  }
  return '0123456789X'[sum % 11] === vin[8]
}

/** ISO 3779 shape: 17 letters and digits without I, O, Q, the last four digits. */
export const isVinShape = (vin: string): boolean => /^[A-HJ-NPR-Z0-9]{13}\d{4}$/.test(vin) && /[A-Z]/.test(vin)
