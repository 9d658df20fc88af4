/** National and tax identifiers of the Americas. Formulas are cited where they stand. */
import { dayExists, numberAt, yymmddAt } from '../base/calendar.ts'
import { digitAt, isOneDigit, luhnHolds, mod11Digit, weightedSum } from '../base/check-digits.ts'
import { groups, type Identifier } from '../base/identifier.ts'

const type = 'NATIONAL_ID'

export const americas: readonly Identifier[] = [
  {
    id: 'ar-cuit',
    type,
    country: 'AR',
    layouts: ['00-00000000-0', '00000000000', '00 00000000 0', '00.00000000.0', '00-00.000.000-0'],
    // AFIP: weights 5 4 3 2 7 6 5 4 3 2, 11 minus sum mod 11; 10 is written 9 or gets another prefix.
    valid: (id) =>
      /^(?:2[034567]|3[034])/.test(id) &&
      mod11Digit(weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]), 9) === digitAt(id, 10),
    context: ['cuit*', 'cuil*', 'c.u.i.t.', 'c.u.i.l.', 'clave única de identificación*', 'cuit/cuil'],
    chance: 0.6,
  },
  {
    id: 'ar-dni',
    type,
    country: 'AR',
    layouts: ['00.000.000', '00000000'],
    valid: (id) => !isOneDigit(id) && id[0] !== '0',
    context: ['dni', 'd.n.i.', 'documento nacional de identidad'],
    chance: 0,
    unchecked: true,
  },
  {
    id: 'br-cpf',
    type,
    country: 'BR',
    layouts: [
      '000.000.000-00',
      '00000000000',
      '000000000-00',
      '000 000 000 00',
      '000.000.000/00',
      '000 000 000-00',
      '000-000-000-00',
    ],
    valid: (id) => !isOneDigit(id) && brazilian(id, 9) && brazilian(id, 10),
    context: ['cpf*', 'c.p.f.', 'cadastro de pessoa*', 'cpf/mf', 'cpf do*', 'brazilian*'],
    chance: 0.88,
  },
  {
    id: 'br-cnpj',
    type: 'TAX_ID',
    country: 'BR',
    layouts: ['00.000.000/0000-00', '00000000000000', '00000000/0000-00'],
    valid: (id) => !isOneDigit(id) && brazilian(id, 12) && brazilian(id, 13),
    context: ['cnpj*', 'cadastro nacional da pessoa*'],
    chance: 0.85,
  },
  {
    id: 'ca-sin',
    type,
    country: 'CA',
    layouts: groups([3, 3, 3], '- .'),
    valid: (id) => !isOneDigit(id) && id[0] !== '0' && luhnHolds(id),
    context: [
      'sin',
      's.i.n.',
      'social insurance*',
      'numéro d’assurance sociale',
      "numéro d'assurance sociale",
      'nas',
      'assurance sociale',
      'canadian*',
    ],
    chance: 0.42,
  },
  {
    id: 'cl-rut',
    type,
    country: 'CL',
    layouts: ['00.000.000-X', '0.000.000-X', '00000000-X', '0000000-X', '00000000X', '00.000.000 X'],
    valid: chilean,
    context: ['rut', 'run', 'r.u.t.', 'r.u.n.', 'rol único tributario', 'rol único nacional', 'chilean*'],
    chance: 0.44,
  },
  {
    id: 'co-nit',
    type: 'TAX_ID',
    country: 'CO',
    layouts: ['000.000.000-0', '000000000-0'],
    // DIAN: weights 41 37 29 23 19 17 13 7 3, remainders 0 and 1 as they are.
    valid: (id) => {
      const rest = weightedSum(id, [41, 37, 29, 23, 19, 17, 13, 7, 3]) % 11
      return (rest > 1 ? 11 - rest : rest) === digitAt(id, 9)
    },
    context: ['nit', 'n.i.t.', 'número de identificación tributaria'],
    chance: 0.4,
  },
  {
    id: 'co-cedula',
    type,
    country: 'CO',
    layouts: ['0000000000', '0.000.000.000', '00.000.000', '00000000'],
    valid: (id) => !isOneDigit(id) && id[0] !== '0',
    context: ['cédula de ciudadanía', 'c.c.', 'cédula'],
    chance: 0,
    unchecked: true,
  },
  {
    id: 'ec-cedula',
    type,
    country: 'EC',
    layouts: ['0000000000', '000000000-0'],
    valid: (id) => numberAt(id, 0, 2) >= 1 && numberAt(id, 0, 2) <= 24 && digitAt(id, 2) < 6 && luhnHolds(id),
    context: ['cédula', 'cédula de identidad', 'c.i.', 'cedula ecuatoriana'],
    chance: 0.3,
  },
  {
    id: 'mx-curp',
    type,
    country: 'MX',
    layouts: ['AAAA000000AAAAAAX0', 'AAAA-000000-AAAAAAX0', 'AAAA 000000 AAAAAA X0'],
    valid: mexicanPerson,
    context: ['curp', 'c.u.r.p.', 'clave única de registro*', 'mexican*'],
    chance: 0.97,
  },
  {
    id: 'mx-rfc',
    type: 'TAX_ID',
    country: 'MX',
    layouts: ['AAAA000000XXX', 'AAAA-000000-XXX', 'AAAA 000000 XXX'],
    valid: mexicanTax,
    context: ['rfc', 'r.f.c.', 'registro federal*'],
    chance: 0.85,
  },
]

/** Receita Federal: each check digit weighs the digits before it 2, 3, … from the right, up to 9 in a CNPJ. */
function brazilian(id: string, place: number): boolean {
  const top = id.length === 14 ? 9 : 11
  let sum = 0
  for (let i = 0; i < place; i += 1) sum += digitAt(id, i) * (((place - 1 - i) % (top - 1)) + 2)
  const digit = 11 - (sum % 11)
  return (digit > 9 ? 0 : digit) === digitAt(id, place)
}

/** Registro Civil: weights 2 to 7 from the right, 11 minus sum mod 11, 10 written K. */
function chilean(id: string): boolean {
  let sum = 0
  for (let i = 0; i < id.length - 1; i += 1) sum += digitAt(id, id.length - 2 - i) * ((i % 6) + 2)
  const digit = 11 - (sum % 11)
  return numberAt(id, 0, id.length - 1) > 100_000 && '0123456789K0'[digit === 11 ? 0 : digit] === id.at(-1)
}

const curpAlphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** RENAPO: values in base 37 times 18 to 2, 10 minus sum mod 10. */
function mexicanPerson(id: string): boolean {
  if (!/^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d$/.test(id) || !yymmddAt(id, 4)) return false
  let sum = 0
  for (let i = 0; i < 17; i += 1) sum += curpAlphabet.indexOf(id[i] ?? '') * (18 - i)
  return (10 - (sum % 10)) % 10 === digitAt(id, 17)
}

const rfcAlphabet = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** SAT: values times 13 to 2, 11 minus sum mod 11, 10 written A. */
function mexicanTax(id: string): boolean {
  if (!dayExists(numberAt(id, 6, 2), numberAt(id, 8, 2))) return false
  let sum = 0
  for (let i = 0; i < 12; i += 1) sum += rfcAlphabet.indexOf(id[i] ?? '') * (13 - i)
  return '0123456789A0'[(11 - (sum % 11)) % 11] === id[12]
}
