/** National identifiers of northern and Baltic Europe. Formulas are cited where they stand. */
import { dayExists, ddmmyyAt, numberAt, yymmddAt } from '../base/calendar.ts'
import { digitAt, luhnHolds, mod11Digit, weightedSum } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const northernEurope: readonly Identifier[] = [
  {
    id: 'dk-cpr',
    type,
    country: 'DK',
    layouts: ['000000-0000', '0000000000', '000000 0000'],
    // The mod 11 check was given up in 2007, so only the date is asked.
    valid: (id) => ddmmyyAt(id),
    context: ['cpr*', 'cpr-nr', 'cpr-nummer', 'personnummer', 'cpr number'],
    chance: 0.35,
    unchecked: true,
  },
  {
    id: 'ee-isikukood',
    type,
    country: 'EE',
    layouts: ['00000000000'],
    valid: (id) => baltic(id),
    context: ['isikukood*', 'ik', 'estonian personal*', 'estonian id*'],
    chance: 0.7,
  },
  {
    id: 'fi-hetu',
    type,
    country: 'FI',
    layouts: ['000000-000X', '000000A000X', '000000+000X'],
    valid: finnish,
    context: [
      'henkilötunnus*',
      'henkilötunnuk*',
      'hetu*',
      'sotu*',
      'personbeteckning*',
      'finnish personal*',
      'sosiaaliturvatunnu*',
    ],
    chance: 0.93,
  },
  {
    id: 'is-kennitala',
    type,
    country: 'IS',
    layouts: ['000000-0000', '0000000000'],
    // Registers Iceland: weights 3 2 7 6 5 4 3 2, check digit ninth, century last.
    valid: (id) =>
      ddmmyyAt(id) && /[089]$/.test(id) && mod11Digit(weightedSum(id, [3, 2, 7, 6, 5, 4, 3, 2]), -1) === digitAt(id, 8),
    context: ['kennitala*', 'kennitölu', 'kt', 'icelandic id*'],
    chance: 0.5,
  },
  {
    id: 'lt-asmens-kodas',
    type,
    country: 'LT',
    layouts: ['00000000000'],
    valid: (id) => baltic(id),
    context: ['asmens kod*', 'a.k.', 'lithuanian personal*', 'lithuanian id*'],
    chance: 0.7,
  },
  {
    id: 'lv-personas-kods',
    type,
    country: 'LV',
    layouts: ['000000-00000', '00000000000'],
    valid: (id) => latvian(id),
    context: ['personas kod*', 'p.k.', 'latvian personal*'],
    chance: 0.55,
  },
  {
    id: 'no-fnr',
    type,
    country: 'NO',
    layouts: ['00000000000', '000000 00000', '000000-00000', '00 00 00 00000', '00.00.00 00000', '000000.00000'],
    valid: norwegian,
    context: [
      'fødselsnummer*',
      'fødselsnr*',
      'fnr',
      'personnummer*',
      'd-nummer*',
      'fodselsnummer*',
      'norwegian id*',
      'norwegian national*',
      'norwegian personal*',
      'fødsels- og personnummer',
    ],
    chance: 0.9,
  },
  {
    id: 'se-personnummer',
    type,
    country: 'SE',
    layouts: [
      '000000-0000',
      '00000000-0000',
      '0000000000',
      '000000000000',
      '000000+0000',
      '000000 0000',
      '00000000 0000',
    ],
    // Skatteverket: Luhn over the last ten; coordination numbers add 60 to the day.
    valid: (id) => {
      const ten = id.slice(-10)
      const day = numberAt(ten, 4, 2)
      const century = id.length === 10 || /^(?:18|19|20)/.test(id)
      return century && dayExists(numberAt(ten, 2, 2), day > 60 ? day - 60 : day) && luhnHolds(ten)
    },
    context: [
      'personnummer*',
      'personnr*',
      'pnr',
      'samordningsnummer*',
      'swedish personal*',
      'swedish id*',
      'personal identity number',
      'svenskt personnummer',
    ],
    chance: 0.7,
  },
]

const finnishSigns = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/** DVV: date and individual number as one number mod 31. The century sign is a dash, a plus or a letter. */
function finnish(id: string, printed: string): boolean {
  const sign = printed[6] ?? ''
  if (!/[-+\u2010-\u2013A-FU-Ya-fu-y]/.test(sign) || !ddmmyyAt(id)) return false
  const individual = id.slice(-4, -1)
  return finnishSigns[Number(id.slice(0, 6) + individual) % 31] === id.at(-1)
}

/** Estonia and Lithuania: two rounds of weights; 10 in both gives 0. */
function baltic(id: string): boolean {
  const century = digitAt(id, 0)
  if (century < 1 || century > 8 || !yymmddAt(id, 1)) return false
  const first = weightedSum(id, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const second = weightedSum(id, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  return (first < 10 ? first : second % 10) === digitAt(id, 10)
}

/** Latvia: weights 1 6 3 7 9 10 5 8 4 2, (1101 - sum) mod 11 mod 10; numbers that begin with 32 carry no date. */
const latvian = (id: string): boolean =>
  (id.startsWith('32') || ddmmyyAt(id)) &&
  ((1101 - weightedSum(id, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10 === digitAt(id, 10)

/** Skatteetaten: two mod 11 digits; D-numbers add 40 to the day, H-numbers 40 to the month. */
function norwegian(id: string): boolean {
  const day = numberAt(id, 0, 2)
  const month = numberAt(id, 2, 2)
  if (!dayExists(month > 80 ? month - 80 : month > 40 ? month - 40 : month, day > 40 ? day - 40 : day)) return false
  return (
    mod11Digit(weightedSum(id, [3, 7, 6, 1, 8, 9, 4, 5, 2]), -1) === digitAt(id, 9) &&
    mod11Digit(weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]), -1) === digitAt(id, 10)
  )
}
