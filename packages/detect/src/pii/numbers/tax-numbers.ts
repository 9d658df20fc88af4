/** VAT and company tax numbers of the countries whose personal number is another one. */
import { digitAt, luhnHolds, remainder, weightedSum } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

const type = 'TAX_ID'

export const taxNumbers: readonly Identifier[] = [
  {
    id: 'it-partita-iva',
    type,
    country: 'IT',
    layouts: ['00000000000', 'AA00000000000'],
    valid: (id) => /^(?:IT)?\d{11}$/.test(id) && luhnHolds(id.slice(-11)),
    context: ['partita iva', 'p.iva', 'p. iva', 'piva'],
    chance: 0.2,
  },
  {
    id: 'pl-nip',
    type,
    country: 'PL',
    layouts: ['000-000-00-00', '000-00-00-000', '0000000000', '000 000 00 00', 'AA0000000000'],
    valid: (id) =>
      /^(?:PL)?\d{10}$/.test(id) &&
      weightedSum(id.slice(-10), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digitAt(id, id.length - 1),
    context: ['nip', 'numer nip', 'nip-ue', 'nip firmy'],
    chance: 0.25,
  },
  {
    id: 'gr-afm',
    type,
    country: 'GR',
    layouts: ['000000000'],
    valid: (id) => (weightedSum(id, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digitAt(id, 8),
    context: ['αφμ', 'α.φ.μ.', 'afm'],
    chance: 0.2,
  },
  {
    id: 'hu-adoazonosito',
    type,
    country: 'HU',
    layouts: ['0000000000'],
    // Begins with 8; weights 1 to 9, sum mod 11.
    valid: (id) => id[0] === '8' && weightedSum(id, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === digitAt(id, 9),
    context: ['adóazonosító*', 'adószám*', 'adóazonosító jel*'],
    chance: 0.25,
  },
  {
    id: 'fr-siret',
    type,
    country: 'FR',
    layouts: ['000 000 000 00000', '00000000000000', '000 000 000'],
    valid: luhnHolds,
    context: ['siret', 'siren', 'numéro siret', 'n° siret'],
    chance: 0.3,
  },
  {
    id: 'gb-vat',
    type,
    country: 'GB',
    layouts: ['AA000000000', 'AA000 0000 00', 'AA 000 0000 00'],
    // HMRC: weights 8 to 2, with the last two digits a multiple of 97, or of 97 less 55.
    valid: (id) => {
      const sum = weightedSum(id.slice(2), [8, 7, 6, 5, 4, 3, 2]) + Number(id.slice(9, 11))
      return id.startsWith('GB') && (sum % 97 === 0 || (sum + 55) % 97 === 0)
    },
    context: ['vat', 'vat number', 'vat no', 'vat reg*'],
    chance: 0.6,
  },
  {
    id: 'de-vat',
    type,
    country: 'DE',
    layouts: ['AA000000000', 'AA 000000000', 'AA 000 000 000'],
    valid: (id) => id.startsWith('DE') && germanVat(id.slice(2)),
    context: ['ust-id*', 'ust-idnr', 'umsatzsteuer*', 'vat', 'ust-id-nr'],
    chance: 0.6,
  },
  {
    id: 'nl-vat',
    type,
    country: 'NL',
    layouts: ['AA000000000A00'],
    valid: (id) =>
      /^NL\d{9}B\d\d$/.test(id) && (dutchSum(id) || remainder(`2321${id.slice(2, 11)}11${id.slice(12)}`, 97) === 1),
    context: ['btw*', 'btw-nummer', 'vat', 'omzetbelasting*'],
    chance: 0.6,
  },
  {
    id: 'es-cif',
    type,
    country: 'ES',
    layouts: ['A00000000', 'A-00000000', 'A0000000A'],
    valid: spanishCompany,
    context: ['cif', 'c.i.f.', 'nif'],
    chance: 0.35,
  },
]

const germanVat = (digits: string): boolean => {
  let product = 10
  for (let i = 0; i < 8; i += 1) product = (((digitAt(digits, i) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === digitAt(digits, 8)
}

const dutchSum = (id: string): boolean => weightedSum(id.slice(2), [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === digitAt(id, 10)

/** Orden EHA/451/2008: odd places doubled with digit sums, even places added; a digit or a letter closes. */
function spanishCompany(id: string): boolean {
  if (!/^[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]$/.test(id)) return false
  let sum = 0
  for (let i = 0; i < 7; i += 1) {
    const digit = digitAt(id, i + 1)
    sum += i % 2 === 0 ? Math.floor((digit * 2) / 10) + ((digit * 2) % 10) : digit
  }
  const check = (10 - (sum % 10)) % 10
  return id[8] === String(check) || id[8] === 'JABCDEFGHI'[check]
}
