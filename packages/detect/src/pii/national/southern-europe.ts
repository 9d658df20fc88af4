/** National identifiers of southern Europe. Formulas are cited where they stand. */
import { ddmmyyAt } from '../base/calendar.ts'
import { digitAt, luhnHolds, mod11Digit, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const southernEurope: readonly Identifier[] = [
  {
    id: 'es-dni',
    type,
    country: 'ES',
    layouts: [
      '00000000A',
      '00000000-A',
      '00000000 A',
      '00.000.000-A',
      '00.000.000A',
      '00 000 000 A',
      '00.000.000 A',
      'A0000000A',
      'A0000000-A',
      'A-0000000-A',
      'A-0000000A',
      'A 0000000 A',
      'A-0.000.000-A',
    ],
    valid: spanish,
    context: ['dni', 'nie', 'nif', 'd.n.i.', 'n.i.e.', 'n.i.f.', 'documento nacional*', 'extranjero*', 'dni/nie'],
    chance: 0.9,
  },
  {
    id: 'gr-amka',
    type,
    country: 'GR',
    layouts: ['00000000000', '000000 00000', '000000-00000'],
    valid: (id) => ddmmyyAt(id) && luhnHolds(id),
    context: ['αμκα', 'amka', 'α.μ.κ.α.'],
    chance: 0.5,
  },
  {
    id: 'it-codice-fiscale',
    type,
    country: 'IT',
    layouts: ['AAAAAA00A00AXXXA', 'AAA AAA 00A00 A000A', 'AAAAAA 00A00 A000A', 'AAA-AAA-00A00-A000A'],
    valid: italian,
    context: ['codice fiscale', 'cod. fisc.', 'cod fiscale', 'c.f.', 'cf', 'codice fiscale*', 'italian tax*'],
    chance: 0.97,
  },
  {
    id: 'pt-nif',
    type,
    country: 'PT',
    layouts: groups([3, 3, 3], ' .-'),
    // Decree-Law 14/2013: weights 9 to 2, 11 minus sum mod 11, 10 and 11 written 0.
    valid: (id) =>
      /^[1235689]|^45|^7/.test(id) && mod11Digit(weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2]), 0) === digitAt(id, 8),
    context: ['nif', 'n.i.f.', 'contribuinte', 'número de contribuinte', 'nº de contribuinte', 'número fiscal', 'nipc'],
    chance: 0.38,
  },
]

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Real Decreto 1553/2005: number mod 23; X, Y, Z of a NIE count 0, 1, 2. */
function spanish(id: string): boolean {
  const lead = 'XYZ'.indexOf(id[0] ?? '')
  const digits = lead >= 0 ? lead + id.slice(1, 8) : id.slice(0, 8)
  return /^\d{8}$/.test(digits) && id[8] === spanishLetters[Number(digits) % 23]
}

// Values in odd places (Decreto ministeriale 12 marzo 1974), by digit or letter.
const italianOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Odd and even places summed by table, mod 26 is the last letter. Letters may stand for digits (omocodia). */
function italian(id: string): boolean {
  if (!/^[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]$/.test(id)) return false
  let sum = 0
  for (let i = 0; i < 15; i += 1) {
    const code = id.charCodeAt(i)
    const value = code < 65 ? code - 48 : code - 65
    sum += i % 2 === 0 ? (italianOdd[value] ?? 0) : value
  }
  return sum % 26 === id.charCodeAt(15) - 65
}
