/** National identifiers of Africa and Oceania. Formulas are cited where they stand. */
import { numberAt, yymmddAt } from '../base/calendar.ts'
import { digitAt, isOneDigit, luhnHolds, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const africaAndOceania: readonly Identifier[] = [
  {
    id: 'au-tfn',
    type,
    country: 'AU',
    layouts: groups([3, 3, 3], ' -'),
    // ATO: weights 1 4 3 7 5 8 6 9 10, sum mod 11 is 0.
    valid: (id) => !isOneDigit(id) && weightedSum(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
    context: ['tfn*', 'tax file*', 'tax file number', 'australian tax*', 'australian*'],
    chance: 0.4,
  },
  {
    id: 'au-medicare',
    type,
    country: 'AU',
    layouts: ['0000 00000 0', '0000000000', '0000-00000-0', '0000 00000 0 0', '0000 00000 0/0'],
    // Services Australia: weights 1 3 7 9 1 3 7 9, sum mod 10 is the ninth digit.
    valid: (id) => /^[2-6]/.test(id) && weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digitAt(id, 8),
    context: ['medicare*', 'medicare card', 'medicare no*', 'medicare number'],
    chance: 0.3,
  },
  {
    id: 'au-abn',
    type: 'TAX_ID',
    country: 'AU',
    layouts: ['00 000 000 000', '00000000000'],
    // ABR: first digit less one, weights 10 1 3 5 … 19, sum mod 89 is 0.
    valid: (id) => id[0] !== '0' && (weightedSum(id, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0,
    context: ['abn', 'australian business number', 'a.b.n.'],
    chance: 0.55,
  },
  {
    id: 'nz-ird',
    type,
    country: 'NZ',
    layouts: ['00-000-000', '000-000-000', '00000000', '000000000', '00 000 000', '000 000 000'],
    valid: newZealander,
    context: ['ird', 'ird number', 'ird no', 'inland revenue*', 'new zealand*'],
    chance: 0.35,
  },
  {
    id: 'eg-national-id',
    type,
    country: 'EG',
    layouts: ['00000000000000'],
    // Century 2 or 3, birth date, governorate; the check digit's formula is not published.
    valid: (id) => /^[23]/.test(id) && yymmddAt(id, 1) && (numberAt(id, 7, 2) <= 35 || numberAt(id, 7, 2) === 88),
    context: ['الرقم القومي*', 'رقم قومي*', 'egyptian*', 'بطاقة*'],
    chance: 0.4,
    unchecked: true,
  },
  {
    id: 'za-id',
    type,
    country: 'ZA',
    layouts: ['0000000000000', '000000 0000 00 0', '000000 0000 000'],
    // Department of Home Affairs: birth date, citizenship 0 to 2 in the eleventh place, Luhn.
    valid: (id) => yymmddAt(id) && /[012]\d{2}$/.test(id) && luhnHolds(id),
    context: [
      'south african*',
      'sa id*',
      'rsa id*',
      'south africa*',
      'identity number',
      'id number',
      'id-nommer',
      'identiteitsnommer',
      'said number',
    ],
    chance: 0.72,
  },
]

/** Inland Revenue: weights 3 2 7 6 5 4 3 2, and 7 4 3 2 5 2 7 6 when that gives 10. */
function newZealander(id: string): boolean {
  const padded = id.padStart(9, '0')
  const number = Number(padded)
  if (number < 10_000_000 || number > 150_000_000) return false
  const digit = (weights: readonly number[]): number => (11 - (weightedSum(padded, weights) % 11)) % 11
  const first = digit([3, 2, 7, 6, 5, 4, 3, 2])
  return (first === 10 ? digit([7, 4, 3, 2, 5, 2, 7, 6]) : first) === digitAt(padded, 8)
}
