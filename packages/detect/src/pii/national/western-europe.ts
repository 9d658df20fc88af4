/** National identifiers of western and southern Europe. Formulas are cited where they stand. */
import { numberAt, yyyymmddAt } from '../base/calendar.ts'
import {
  digitAt,
  ean13Holds,
  isOneDigit,
  luhnHolds,
  mod11And10Holds,
  mod11Digit,
  remainder,
  verhoeffHolds,
  weightedSum,
} from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const westernEurope: readonly Identifier[] = [
  {
    id: 'at-svnr',
    type,
    country: 'AT',
    layouts: ['0000 000000', '0000-000000', '0000000000', '0000 00 00 00'],
    // Hauptverband: weights 3 7 9 . 5 8 4 2 1 6, sum mod 11 is the fourth digit.
    valid: (id) =>
      id[0] !== '0' && yearlessDate(id) && weightedSum(id, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digitAt(id, 3),
    context: ['svnr', 'sv-nummer', 'sozialversicherungsnummer', 'versicherungsnummer'],
    chance: 0.45,
  },
  {
    id: 'be-national-number',
    type,
    country: 'BE',
    layouts: [
      '00.00.00-000.00',
      '00000000000',
      '00.00.00.000.00',
      '00 00 00 000 00',
      '00.00.00 000-00',
      '00 00 00-000 00',
      '000000-000-00',
      '000000 000 00',
      '00.00.00-000-00',
    ],
    valid: belgian,
    context: [
      'rijksregister*',
      'rijksregisternummer',
      'insz*',
      'niss',
      'bis-nummer',
      'registre national',
      'numéro national',
      'numéro de registre national',
      'nationalregister*',
      'nrn',
      'rrn',
      'rr-nummer',
      'belgian national*',
    ],
    chance: 0.9,
  },
  {
    id: 'ch-ahv',
    type,
    country: 'CH',
    layouts: ['000.0000.0000.00', '0000000000000', '000 0000 0000 00'],
    // 756 is Switzerland's country code in an EAN-13.
    valid: (id) => id.startsWith('756') && ean13Holds(id),
    context: ['ahv*', 'avs', 'numéro avs', 'numero avs', 'sozialversicherungsnummer', 'navs*', 'oasi'],
    chance: 0.95,
  },
  {
    id: 'de-tax-id',
    type,
    country: 'DE',
    layouts: ['00000000000', '00 000 000 000', '000 000 00000', '00-000-000-000', '00/000/000/000'],
    valid: (id) => id[0] !== '0' && repeatsOnce(id) && mod11And10Holds(id),
    context: [
      'steuer-id*',
      'steueridentifikationsnummer',
      'steuer-identifikationsnummer',
      'steuerliche identifikationsnummer',
      'idnr',
      'id-nr',
      'tin',
      'steuernummer',
      'steuer-nr',
      'german tax*',
      'steuer-idnr',
    ],
    chance: 0.85,
  },
  {
    id: 'fr-nir',
    type,
    country: 'FR',
    layouts: [
      '0 00 00 00 000 000 00',
      '000000000000000',
      '0 00 00 0A 000 000 00',
      '000000A00000000',
      '0000000000000 00',
      '000000A000000 00',
      '0-00-00-00-000-000-00',
      '0 00 00 00 000 000-00',
      '0 00 00 00 000 000 / 00',
      '0.00.00.00.000.000.00',
    ],
    valid: french,
    context: [
      'sécurité sociale',
      'numéro de sécurité sociale',
      'n° de sécurité sociale',
      'numéro de sécu',
      'nir',
      'insee',
      'numéro insee',
      'nss',
      'n° ss',
      'carte vitale',
      'assuré social',
    ],
    chance: 0.93,
  },
  {
    id: 'gb-nhs',
    type,
    country: 'GB',
    layouts: ['000 000 0000', '000-000-0000', '0000000000'],
    // NHS Data Dictionary: weights 10 to 2, 11 minus sum mod 11; 10 is never issued.
    valid: (id) => !isOneDigit(id) && mod11Digit(weightedSum(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]), -1) === digitAt(id, 9),
    context: ['nhs*', 'nhs number', 'nhs no', 'health service number', 'chi number', 'national health service'],
    chance: 0.3,
  },
  {
    id: 'ie-pps',
    type,
    country: 'IE',
    layouts: ['0000000A', '0000000AA', '0000000 A', '0000000 AA'],
    valid: irish,
    context: ['pps', 'ppsn', 'pps number', 'pps no', 'personal public service*', 'uimhir psp'],
    chance: 0.48,
  },
  {
    id: 'lu-matricule',
    type,
    country: 'LU',
    layouts: ['0000000000000', '00000000 00000', '0000 00 00 00000', '0000 0000 00000'],
    // CCSS: date, three digits, Luhn over the first twelve, Verhoeff over the first eleven.
    valid: (id) => yyyymmddAt(id) && luhnHolds(id.slice(0, 12)) && verhoeffHolds(id.slice(0, 11) + id.slice(12)),
    context: ['matricule*', 'numéro de matricule', 'sozialversicherungsnummer', 'ccss'],
    chance: 0.92,
  },
  {
    id: 'nl-bsn',
    type,
    country: 'NL',
    layouts: ['000000000', '0000.00.000', '000.000.000', '0000 00 000', '000 000 000', '0000-00-000'],
    // Elfproef with weight -1 for the last digit (Besluit burgerservicenummer).
    valid: (id) => !isOneDigit(id) && weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    context: ['bsn*', 'burgerservicenummer', 'burgerservicenr', 'sofinummer', 'sofi-nummer', 'burger service nummer'],
    chance: 0.4,
  },
]

const yearlessDate = (id: string): boolean => numberAt(id, 6, 2) >= 1 && numberAt(id, 6, 2) <= 15

/** Rijksregister: 97 minus the first nine digits mod 97, with a 2 before them for births since 2000. */
function belgian(id: string): boolean {
  const month = numberAt(id, 2, 2) % 20
  if (month > 12 || numberAt(id, 2, 2) > 52 || numberAt(id, 4, 2) > 31) return false
  const check = numberAt(id, 9, 2)
  const first = id.slice(0, 9)
  return check === 97 - remainder(first, 97) || check === 97 - remainder(`2${first}`, 97)
}

/** BZSt: of the first ten digits one occurs two or three times, the others at most once. */
function repeatsOnce(id: string): boolean {
  const counts = new Array<number>(10).fill(0)
  for (let i = 0; i < 10; i += 1) counts[digitAt(id, i)] = (counts[digitAt(id, i)] ?? 0) + 1
  const repeated = counts.filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

/** INSEE: 97 minus the first thirteen mod 97; Corsica 2A and 2B count as 19 and 18. */
function french(id: string): boolean {
  const plain = id.replace('2A', '19').replace('2B', '18')
  if (!/^[123478]\d{14}$/.test(plain)) return false
  const month = numberAt(plain, 3, 2)
  const isMonth = (month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50
  return isMonth && 97 - remainder(plain.slice(0, 13), 97) === numberAt(plain, 13, 2)
}

/** Department of Social Protection: weights 8 to 2, second letter times 9, mod 23, W for 0. */
function irish(id: string): boolean {
  const second = id.length > 8 ? 'WABCDEFGHI'.indexOf(id[8] ?? '') : 0
  const sum = weightedSum(id, [8, 7, 6, 5, 4, 3, 2]) + second * 9
  return second >= 0 && id[7] === 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23]
}
