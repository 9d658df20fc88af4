/** National identifiers of central, eastern and south-eastern Europe and Turkey. Formulas are cited where they stand. */
import { dayExists, ddmmyyAt, numberAt, yymmddAt } from '../base/calendar.ts'
import { digitAt, isOneDigit, mod11And10Holds, mod11Digit, remainder, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const easternEurope: readonly Identifier[] = [
  {
    id: 'bg-egn',
    type,
    country: 'BG',
    layouts: ['0000000000'],
    // GRAO: weights 2 4 8 5 10 9 7 3 6, sum mod 11 mod 10; months +20 before 1900, +40 since 2000.
    valid: (id) =>
      dayExists(numberAt(id, 2, 2) % 20, numberAt(id, 4, 2)) &&
      (weightedSum(id, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digitAt(id, 9),
    context: ['егн', 'egn', 'единен граждански номер', 'bulgarian*'],
    chance: 0.4,
  },
  {
    id: 'cz-rodne-cislo',
    type,
    country: 'CZ',
    layouts: ['000000/0000', '0000000000'],
    valid: czech,
    context: [
      'rodné číslo',
      'rodného čísla',
      'rodným číslem',
      'r.č.',
      'rč',
      'czech birth*',
      'rodne cislo',
      'rodnem cislem',
    ],
    chance: 0.7,
  },
  {
    id: 'sk-rodne-cislo',
    type,
    country: 'SK',
    layouts: ['000000/0000'],
    valid: czech,
    context: ['rodné číslo občana', 'rodného čísla občana', 'slovak*', 'rodné číslo sr'],
    chance: 0.65,
  },
  {
    id: 'hr-oib',
    type,
    country: 'HR',
    layouts: ['00000000000'],
    valid: (id) => !isOneDigit(id) && mod11And10Holds(id),
    context: ['oib', 'osobni identifikacijski broj', 'croatian*'],
    chance: 0.4,
  },
  {
    id: 'hu-taj',
    type,
    country: 'HU',
    layouts: groups([3, 3, 3], ' -'),
    // Weights 3 and 7 in turn, sum mod 10.
    valid: (id) => !isOneDigit(id) && weightedSum(id, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === digitAt(id, 8),
    context: ['taj', 'taj szám*', 'taj-szám*', 'társadalombiztosítási*'],
    chance: 0.3,
  },
  {
    id: 'pl-pesel',
    type,
    country: 'PL',
    layouts: ['00000000000'],
    valid: polish,
    context: ['pesel*', 'numer pesel', 'nr pesel', 'numerem pesel'],
    chance: 0.75,
  },
  {
    id: 'pl-identity-card',
    type,
    country: 'PL',
    layouts: ['AAA000000', 'AAA 000000'],
    // Weights 7 3 1 . 7 3 1 7 3, letters 10 to 35, the fourth place is the check digit.
    valid: (id) => {
      const value = (i: number): number => (i < 3 ? id.charCodeAt(i) - 55 : digitAt(id, i))
      const weights = [7, 3, 1, 0, 7, 3, 1, 7, 3]
      return weights.reduce((sum, weight, i) => sum + weight * value(i), 0) % 10 === digitAt(id, 3)
    },
    context: ['dowód osobisty', 'dowodu osobistego', 'seria i numer', 'nr dowodu', 'numer dowodu', 'polish id*'],
    chance: 0.3,
  },
  {
    id: 'ro-cnp',
    type,
    country: 'RO',
    layouts: ['0000000000000', '0 000000 000000', '0 00 00 00 00 0000'],
    // Weights 2 7 9 1 4 6 3 5 8 2 7 9, sum mod 11, 10 written 1.
    valid: (id) => {
      const rest = weightedSum(id, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
      return (
        id[0] !== '0' && yymmddAt(id, 1) && numberAt(id, 7, 2) <= 52 && (rest === 10 ? 1 : rest) === digitAt(id, 12)
      )
    },
    context: ['cnp*', 'cod numeric personal', 'codul numeric personal', 'romanian*'],
    chance: 0.8,
  },
  {
    id: 'rs-jmbg',
    type,
    country: 'RS',
    layouts: ['0000000000000'],
    valid: (id) => yugoslav(id),
    context: ['jmbg', 'јмбг', 'matični broj', 'матични број', 'jedinstveni matični'],
    chance: 0.6,
  },
  {
    id: 'si-emso',
    type,
    country: 'SI',
    layouts: ['0000000000000'],
    valid: (id) => yugoslav(id) && id.startsWith('50', 7),
    context: ['emšo', 'emso', 'enotna matična številka'],
    chance: 0.65,
  },
  {
    id: 'tr-tckn',
    type,
    country: 'TR',
    layouts: ['00000000000', '000 000 000 00', '000 0000 0000'],
    valid: turkish,
    context: [
      'tc kimlik*',
      't.c. kimlik*',
      'tckn',
      'kimlik no*',
      'kimlik num*',
      'tc no',
      't.c. no',
      'vatandaşlık no*',
      'vatandaşlık num*',
      'turkish id*',
      'turkish identity*',
      'tc',
    ],
    chance: 0.88,
  },
  {
    id: 'ru-inn',
    type: 'TAX_ID',
    country: 'RU',
    layouts: ['000000000000', '0000000000'],
    valid: russianTax,
    context: ['инн', 'inn'],
    chance: 0.3,
  },
  {
    id: 'ru-snils',
    type,
    country: 'RU',
    layouts: ['000-000-000 00', '000-000-000-00', '00000000000'],
    // Weights 9 to 1, sum mod 101, 100 written 00.
    valid: (id) => (weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === numberAt(id, 9, 2),
    context: ['снилс*', 'snils', 'страховой номер'],
    chance: 0.55,
  },
  {
    id: 'kz-iin',
    type,
    country: 'KZ',
    layouts: ['000000000000'],
    valid: (id) => {
      const first = weightedSum(id, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11
      const rest = first === 10 ? weightedSum(id, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11 : first
      return yymmddAt(id) && rest === digitAt(id, 11)
    },
    context: ['иин', 'жсн', 'iin'],
    chance: 0.5,
  },
  {
    id: 'ua-rnokpp',
    type,
    country: 'UA',
    layouts: ['0000000000'],
    // Weights -1 5 7 9 4 6 10 5 7, sum mod 11 mod 10.
    valid: (id) => !isOneDigit(id) && (weightedSum(id, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) % 10 === digitAt(id, 9),
    context: ['рнокпп', 'іпн', 'ідентифікаційний код', 'ідентифікаційний номер', 'податковий номер', 'ukrainian*'],
    chance: 0.25,
  },
]

/** Czech and Slovak: the ten digits divide by 11; women +50, overflow +20. */
function czech(id: string): boolean {
  const month = numberAt(id, 2, 2)
  const base = month > 70 ? month - 70 : month > 50 ? month - 50 : month > 20 ? month - 20 : month
  return dayExists(base, numberAt(id, 4, 2)) && remainder(id, 11) === 0
}

/** Ministry of Digital Affairs: weights 1 3 7 9; months +80, +20, +40, +60 by century. */
function polish(id: string): boolean {
  const check = (10 - (weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10
  return dayExists(numberAt(id, 2, 2) % 20, numberAt(id, 4, 2)) && check === digitAt(id, 10)
}

/** JMBG law of 1976: DDMMYYY, weights 7 to 2 twice, 11 minus sum mod 11. */
const yugoslav = (id: string): boolean =>
  ddmmyyAt(id.slice(0, 4) + id.slice(5)) &&
  (id[4] === '9' || id[4] === '0') &&
  mod11Digit(weightedSum(id, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]), -1) === digitAt(id, 12)

/** NVI: tenth digit 7 x odd places minus even places, eleventh the sum of the first ten, both mod 10. */
function turkish(id: string): boolean {
  const odd = weightedSum(id, [1, 0, 1, 0, 1, 0, 1, 0, 1])
  const even = weightedSum(id, [0, 1, 0, 1, 0, 1, 0, 1])
  const tenth = (odd * 7 - even + 100) % 10
  return id[0] !== '0' && tenth === digitAt(id, 9) && (odd + even + tenth) % 10 === digitAt(id, 10)
}

/** Federal Tax Service: one check digit for organizations, two for persons. */
function russianTax(id: string): boolean {
  const digit = (weights: readonly number[]): number => (weightedSum(id, weights) % 11) % 10
  if (isOneDigit(id)) return false
  if (id.length === 10) return digit([2, 4, 10, 3, 5, 9, 4, 6, 8]) === digitAt(id, 9)
  return (
    digit([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digitAt(id, 10) &&
    digit([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digitAt(id, 11)
  )
}
