/** National identifiers of Asia and the Middle East. Formulas are cited where they stand. */
import { numberAt, yymmddAt } from '../base/calendar.ts'
import { digitAt, isOneDigit, luhnHolds, verhoeffHolds, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const asia: readonly Identifier[] = [
  {
    id: 'ae-emirates-id',
    type,
    country: 'AE',
    layouts: ['000-0000-0000000-0', '000000000000000', '000 0000 0000000 0'],
    valid: (id) => id.startsWith('784') && luhnHolds(id),
    context: ['emirates id*', 'الهوية الإماراتية', 'رقم الهوية', 'uae id*'],
    chance: 0.9,
  },
  {
    id: 'id-nik',
    type,
    country: 'ID',
    layouts: ['0000000000000000'],
    valid: (id) => {
      const day = numberAt(id, 6, 2)
      const born = `${String(day > 40 ? day - 40 : day).padStart(2, '0')}${id.slice(8, 12)}`
      return /^[1-9]/.test(id) && yymmddAt(born.slice(4) + born.slice(2, 4) + born.slice(0, 2))
    },
    context: ['nik', 'no ktp', 'nomor ktp', 'ktp', 'nomor induk kependudukan', 'e-ktp'],
    chance: 0.2,
    unchecked: true,
  },
  {
    id: 'il-teudat-zehut',
    type,
    country: 'IL',
    layouts: ['000000000', '00000000-0', '0-0000000-0', '0 0000000 0'],
    // Population Registry: weights 1 and 2 in turn, digit sums; the same as Luhn on nine digits.
    valid: (id) => !isOneDigit(id) && luhnHolds(id),
    context: [
      'תעודת זהות*',
      'ת.ז*',
      'ת"ז*',
      'ת״ז*',
      'מספר זהות*',
      'מס זהות*',
      'זהות*',
      'teudat zehut',
      'israeli id*',
      'israel id*',
    ],
    chance: 0.35,
  },
  {
    id: 'in-aadhaar',
    type,
    country: 'IN',
    layouts: groups([4, 4, 4], ' -'),
    // UIDAI: Verhoeff; never begins with 0 or 1.
    valid: (id) => id >= '2' && !isOneDigit(id) && verhoeffHolds(id),
    context: ['aadhaar*', 'aadhar*', 'adhaar*', 'adhar*', 'uidai*', 'uid', 'आधार*', 'indian id*'],
    chance: 0.44,
  },
  {
    id: 'in-pan',
    type: 'TAX_ID',
    country: 'IN',
    layouts: ['AAAAA0000A'],
    // Income Tax Department: the fourth letter is the kind of holder.
    valid: (id) => /^[A-Z]{3}[PCHABGJLFT]/.test(id),
    context: ['pan', 'pan card', 'pan number', 'permanent account*', 'pan no', 'पैन*'],
    chance: 0.6,
    unchecked: true,
  },
  {
    id: 'my-nric',
    type,
    country: 'MY',
    layouts: ['000000-00-0000', '000000000000'],
    valid: (id) => yymmddAt(id) && !/^(?:00|17|18|19|20)/.test(id.slice(6)),
    context: [
      'mykad*',
      'kad pengenalan*',
      'no. kp',
      'no kp',
      'nric',
      'ic no',
      'ic number',
      'no. ic',
      'malaysian*',
      'mykad no*',
    ],
    chance: 0.43,
    unchecked: true,
  },
  {
    id: 'pk-cnic',
    type,
    country: 'PK',
    layouts: ['00000-0000000-0', '0000000000000'],
    valid: (id) => /^[1-7]/.test(id),
    context: ['cnic*', 'nadra*', 'شناختی*', 'nicop', 'pakistani id*'],
    chance: 0.4,
    unchecked: true,
  },
  {
    id: 'sa-national-id',
    type,
    country: 'SA',
    layouts: ['0000000000'],
    valid: (id) => /^[12]/.test(id) && luhnHolds(id),
    context: ['رقم الهوية*', 'الهوية الوطنية*', 'iqama*', 'إقامة*', 'saudi*', 'الإقامة*'],
    chance: 0.2,
  },
  {
    id: 'sg-nric',
    type,
    country: 'SG',
    layouts: ['A0000000A'],
    valid: singaporean,
    context: ['nric*', 'fin', 'fin no*', 'fin number', 'nric/fin', 'singapore*', 'identity card no*', '身份证*'],
    chance: 0.88,
  },
  {
    id: 'th-national-id',
    type,
    country: 'TH',
    layouts: ['0-0000-00000-00-0', '0000000000000', '0 0000 00000 00 0', '0-0000-00000-000'],
    // Department of Provincial Administration: weights 13 to 2, 11 minus sum mod 11, last digit of it.
    valid: (id) =>
      id[0] !== '0' &&
      !isOneDigit(id) &&
      (11 - (weightedSum(id, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === digitAt(id, 12),
    context: [
      'บัตรประชาชน*',
      'เลขบัตร*',
      'เลขบัตรประชาชน*',
      'เลขประจำตัวประชาชน*',
      'เลขประจำตัว*',
      'บัตรประจำตัว*',
      'หมายเลขบัตร*',
      'thai id*',
      'thai national*',
      'thai citizen*',
      'เลขที่บัตร*',
    ],
    chance: 0.42,
  },
  {
    id: 'vn-cccd',
    type,
    country: 'VN',
    layouts: ['000000000000'],
    valid: (id) => /^0\d\d[0-9]/.test(id),
    context: ['cccd', 'căn cước*', 'cmnd', 'số căn cước*', 'chứng minh nhân dân'],
    chance: 0,
    unchecked: true,
  },
]

/** ICA: weights 2 7 6 5 4 3 2; T and G add 4, M adds 3; a letter table per kind. */
function singaporean(id: string): boolean {
  const sum = weightedSum(id.slice(1), [2, 7, 6, 5, 4, 3, 2])
  switch (id[0]) {
    case 'S':
      return 'JZIHGFEDCBA'[sum % 11] === id[8]
    case 'T':
      return 'JZIHGFEDCBA'[(sum + 4) % 11] === id[8]
    case 'F':
      return 'XWUTRQPNMLK'[sum % 11] === id[8]
    case 'G':
      return 'XWUTRQPNMLK'[(sum + 4) % 11] === id[8]
    case 'M':
      return 'XWUTRQPNJLK'[(sum + 3) % 11] === id[8]
    default:
      return false
  }
}
