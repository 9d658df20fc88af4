/**
 * How SQL values become JavaScript values and back, the same for every adapter: times are ISO texts in UTC with
 * milliseconds, `bigint` a safe number, `numeric` a text, `jsonb` parsed, arrays plain arrays. Unknown types stay text;
 * nothing is guessed from a value. Tested in values.test.ts and by the contract suite.
 */
import { parseArray } from './array-text.ts'

type Parse = (text: string) => unknown

/**
 * PostgreSQL's text form of `timestamptz` in a UTC session to ISO 8601 with milliseconds (finer digits are cut).
 * `infinity` and years before Christ have no ISO form and stay as they are.
 */
export function isoTimestamp(text: string): string {
  const end = text.length - 3
  if (text[10] !== ' ' || !text.endsWith('+00')) return text
  const fraction = text.slice(20, Math.min(end, 23))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

/** @throws RangeError beyond 2^53, where a number would silently become another one. */
export function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number; select it as text`)
  return value
}

const text: Parse = (value) => value
const boolean: Parse = (value) => value === 't'
const bytes: Parse = (value) => Buffer.from(value.slice(2), 'hex')
const parseJson: Parse = (value) => JSON.parse(value)

/** By type oid (`pg_type`), each with the oid of its array type. */
const scalars: readonly (readonly [oid: number, arrayOid: number, parse: Parse])[] = [
  [16, 1000, boolean],
  [17, 1001, bytes],
  [20, 1016, safeInteger],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, text],
  [26, 1028, Number],
  [114, 199, parseJson],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014, text],
  [1043, 1015, text],
  [1082, 1182, text],
  [1184, 1185, isoTimestamp],
  [1700, 1231, text],
  [2950, 2951, text],
  [3802, 3807, parseJson],
]

const arrayOf =
  (parse: Parse): Parse =>
  (literal) =>
    parseArray(literal, parse)

const parsers = new Map<number, Parse>(
  scalars.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, arrayOf(parse)],
  ]),
)

/** Handed to each client, so that the driver's process-wide table stays as it is. */
export const valueTypes = {
  getTypeParser: (oid: number): Parse => parsers.get(oid) ?? text,
}

/**
 * A parameter as the wire takes it. It is made before anything is sent: a value that cannot be encoded must not leave
 * half a pipeline behind, whose `commit` would then succeed.
 * @throws TypeError on undefined, functions and symbols
 */
export function encodeValue(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : encodeObject(value)
    default:
      throw new TypeError(`A statement has a parameter of type ${typeof value}`)
  }
}

function encodeObject(value: object): string | Buffer {
  if (Array.isArray(value)) return arrayLiteral(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Date) return value.toISOString()
  return JSON.stringify(value)
}

function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map(arrayElement).join(',')}}`
}

function arrayElement(item: unknown): string {
  if (Array.isArray(item)) return arrayLiteral(item)
  const encoded = encodeValue(item)
  if (encoded === null) return 'NULL'
  if (typeof encoded !== 'string') return `"\\\\x${encoded.toString('hex')}"`
  return `"${encoded.replace(/["\\]/g, '\\$&')}"`
}
