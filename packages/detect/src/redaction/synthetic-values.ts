/**
 * One harmless value of each type that has a range reserved for documentation or tests.
 * Sources: RFC 2606 (names), RFC 5737 and 3849 (IP addresses), RFC 7042 (MAC), the North American 555-01xx range,
 * SSA's advertising numbers 987-65-4320 to 4329, NHS test numbers 999, IMEI test range TAC 00.
 * Promises valid check digits; counts from 1 and has no value past the end of a range. Tested in styles.test.ts.
 */
import { luhnHolds, mod97Holds, remainder } from '../pii/base/check-digits.ts'

type Generator = (value: string, number: number) => string | undefined

const generators: Readonly<Record<string, Generator>> = {
  EMAIL: (_, number) => `user${number}@example.com`,
  PHONE: (_, number) => phone(number - 1),
  CREDIT_CARD: (value, number) => printedLike(value, card(countOf(value), number)),
  IBAN: (value, number) => iban(value, number),
  IP_ADDRESS: (value, number) => (value.includes(':') ? `2001:db8::${number.toString(16)}` : address(number)),
  MAC_ADDRESS: (value, number) => mac(value, number),
  IMEI: (value, number) => printedLike(value, withLuhn(`00101700${padded(number, 6)}`)),
  US_SSN: (value, number) => (number <= 10 ? printedLike(value, `98765432${number - 1}`) : undefined),
  NATIONAL_ID: (value, number) => printedLike(value, nhsNumber(value, number)),
  PERSON: (_, number) => person(number - 1),
  ADDRESS: (_, number) => `${100 + number} Example Street`,
  URL_CREDENTIALS: (_, number) => `https://user${number}:password@example.com`,
}

/** The `number`-th stand-in for a value, or undefined when the type has no reserved range or it is used up. */
export const syntheticValue = (type: string, value: string, number: number): string | undefined =>
  Object.hasOwn(generators, type) ? generators[type]?.(value, number) : undefined

const padded = (number: number, length: number): string => String(number).padStart(length, '0')
const countOf = (value: string): number => value.replace(/\D/g, '').length

/** Digits in the groups and with the separators of the value; undefined when the counts differ. */
function printedLike(value: string, digits: string | undefined): string | undefined {
  if (digits === undefined || countOf(value) !== digits.length || !/^[\d .-]+$/.test(value)) return undefined
  let next = 0
  return value.replace(/\d/g, () => digits.charAt(next++))
}

/** Digits with the check digit that makes the Luhn sum hold. */
function withLuhn(body: string): string | undefined {
  return Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(luhnHolds)
}

/** Issuers do not give out 4000 00; payment test environments do. */
function card(length: number, number: number): string | undefined {
  if (length < 13 || length > 19 || number >= 10 ** (length - 7)) return undefined
  return withLuhn(`400000${padded(number, length - 7)}`)
}

const areas = ['202', '212', '303', '312', '404', '415', '512', '617', '702', '808']

const phone = (index: number): string | undefined =>
  index < areas.length * 100 ? `+1-${areas[Math.floor(index / 100)]}-555-01${padded(index % 100, 2)}` : undefined

/** Country and printed groups of the value, bank and account of zeros (letters: X), valid check digits. */
function iban(value: string, number: number): string | undefined {
  const compact = value.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(compact)) return undefined
  const country = compact.slice(0, 2)
  const account = compact.slice(4).replace(/\d/g, '0').replace(/[A-Z]/g, 'X')
  const places = /0{0,9}$/.exec(account)?.[0].length ?? 0
  if (String(number).length > places) return undefined
  const bban = account.slice(0, account.length - String(number).length) + number
  const check = padded(98 - remainder(digitsOf(`${bban}${country}00`), 97), 2)
  const made = country + check + bban
  let next = 0
  return mod97Holds(made) ? value.replace(/[A-Za-z0-9]/g, () => made.charAt(next++)) : undefined
}

/** Letters count 10 to 35 (ISO 13616). */
const digitsOf = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))

const networks = ['192.0.2', '198.51.100', '203.0.113']

function address(number: number): string | undefined {
  const network = networks[Math.floor((number - 1) / 254)]
  return network && `${network}.${((number - 1) % 254) + 1}`
}

function mac(value: string, number: number): string | undefined {
  const separator = /[:-]/.exec(value)?.[0]
  if (number > 255 || separator === undefined) return undefined
  return ['00', '00', '5E', '00', '53', number.toString(16).toUpperCase().padStart(2, '0')].join(separator)
}

/** Ten digits: the NHS keeps 999 for tests (check digit modulo 11, weights 10 to 2). Other countries have no such range. */
function nhsNumber(value: string, number: number): string | undefined {
  if (!/^\d{3}[ -]?\d{3}[ -]?\d{4}$/.test(value)) return undefined
  let left = number
  for (let body = 0; body < 1_000_000; body += 1) {
    const nine = `999${padded(body, 6)}`
    const check = 11 - ([...nine].reduce((sum, digit, i) => sum + Number(digit) * (10 - i), 0) % 11)
    if (check === 10) continue
    left -= 1
    if (left === 0) return nine + String(check % 11)
  }
  return undefined
}

const given =
  'Alex Jordan Casey Robin Taylor Morgan Jamie Riley Avery Quinn Rowan Sasha Kim Lee Dana Noel Jody Kerry Marion Sidney'.split(
    ' ',
  )
const family =
  'Sample Example Tester Placeholder Fielding Whitlock Harrowby Penhale Ashcombe Thornwell Larkmoor Brindle Castlemere Dunmore Eastbrook Fernley Greycourt Hollins Inglewood Kestrel'.split(
    ' ',
  )

const person = (index: number): string | undefined =>
  index < given.length * family.length
    ? `${given[index % given.length]} ${family[(index + Math.floor(index / given.length)) % family.length]}`
    : undefined
