/** National identifiers of East Asia. Formulas are cited where they stand. */
import { yymmddAt, yyyymmddAt } from '../base/calendar.ts'
import { digitAt, isOneDigit, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const eastAsia: readonly Identifier[] = [
  {
    id: 'cn-resident-id',
    type,
    country: 'CN',
    layouts: ['00000000000000000X', '000000 00000000 000X', '000000-00000000-000X'],
    valid: chinese,
    context: [
      '身份证*',
      '身分证*',
      '居民身份证*',
      '身份证号*',
      '公民身份号码*',
      '证件号*',
      '证件号码*',
      'resident id*',
      'chinese id*',
      'shenfenzheng',
    ],
    chance: 0.96,
  },
  {
    id: 'hk-identity-card',
    type,
    country: 'HK',
    layouts: ['A000000(X)', 'AA000000(X)', 'A000000X'],
    valid: hongKong,
    context: ['hkid*', 'hong kong id*', '香港身份證*', '香港身份证*', '身份證號碼*', '身份證*'],
    chance: 0.5,
  },
  {
    id: 'jp-my-number',
    type,
    country: 'JP',
    layouts: groups([4, 4, 4], ' -'),
    valid: japanese,
    context: [
      'マイナンバー*',
      '個人番号*',
      'my number',
      'mynumber',
      'my-number',
      'マイナ*',
      'individual number',
      'kojin bango*',
    ],
    chance: 0.43,
  },
  {
    id: 'kr-rrn',
    type,
    country: 'KR',
    layouts: ['000000-0000000', '0000000000000', '000000 0000000'],
    valid: korean,
    context: [
      '주민등록번호*',
      '주민번호*',
      '주민등록*',
      '외국인등록번호*',
      '등록번호*',
      'rrn',
      'resident registration*',
      'korean*',
      'jumin*',
    ],
    chance: 0.75,
  },
  {
    id: 'tw-national-id',
    type,
    country: 'TW',
    layouts: ['A000000000'],
    valid: taiwanese,
    context: [
      '身分證*',
      '身份證*',
      '身分證字號*',
      '國民身分證*',
      '身分證統一編號*',
      '統一編號*',
      '居留證*',
      'taiwan*',
      'arc number',
    ],
    chance: 0.7,
  },
]

/** GB 11643-1999: ISO 7064 MOD 11-2 over 17 digits, X for 10; province, birth date. */
function chinese(id: string): boolean {
  if (!/^(?:[1-6]\d|7[0-1]|8[1-3])\d{15}[\dX]$/.test(id) || !yyyymmddAt(id, 6)) return false
  const sum = weightedSum(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  return '10X98765432'[sum % 11] === id[17]
}

/** Immigration Department: values of letters 10 to 35, a missing first letter 36, weights 9 to 1, sum mod 11 is 0. */
function hongKong(id: string): boolean {
  const padded = id.length === 8 ? `[${id}` : id
  let sum = 0
  for (let i = 0; i < 9; i += 1) {
    const code = padded.charCodeAt(i)
    const value = code === 91 ? 36 : code > 64 ? code - 55 : code - 48
    sum += (i === 8 && code === 65 ? 10 : value) * (9 - i)
  }
  return /^[[A-Z][A-Z]\d{6}[\dA]$/.test(padded) && sum % 11 === 0
}

/** Ministerial ordinance 85 of 2014: weights 2 to 7, then 2 to 6, from the right; remainders 0 and 1 give 0. */
function japanese(id: string): boolean {
  const rest = weightedSum(id, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return !isOneDigit(id) && (rest <= 1 ? 0 : 11 - rest) === digitAt(id, 11)
}

/** Weights 2 to 9, 2 to 5, 11 minus sum mod 11, last digit; foreigners' numbers count 13 minus. */
function korean(id: string): boolean {
  const sum = weightedSum(id, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11
  const base = digitAt(id, 6) >= 5 && digitAt(id, 6) <= 8 ? 13 : 11
  return yymmddAt(id) && ((base - sum) % 10 === digitAt(id, 12) || (11 - sum) % 10 === digitAt(id, 12))
}

// The letter stands for 10 to 35 in this order, written as two digits.
const taiwaneseLetters = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'

/** Ministry of the Interior: area number, then weights 8 to 1 and 1, sum mod 10 is 0. */
function taiwanese(id: string): boolean {
  const area = taiwaneseLetters.indexOf(id[0] ?? '') + 10
  const sum = Math.floor(area / 10) + (area % 10) * 9 + weightedSum(id.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1])
  return /^[A-Z][1289]/.test(id) && sum % 10 === 0
}
