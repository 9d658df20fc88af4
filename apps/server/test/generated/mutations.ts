import { isJson } from './schema-values.ts'

export interface Mutation {
  readonly what: string
  readonly value: unknown
}

const junk: readonly unknown[] = [null, true, 1, -1, 1.5, 1e21, '', 'x'.repeat(20_000), [], ['a'], {}, { a: 1 }]

/** The value with one part replaced, one member taken away or one added; every part in turn. */
export function mutationsOf(value: unknown, where = ''): readonly Mutation[] {
  const replaced = junk.map((other) => ({ what: `${where} = ${JSON.stringify(other).slice(0, 40)}`, value: other }))
  if (Array.isArray(value)) return [...replaced, ...inArray(value, where)]
  return isJson(value) ? [...replaced, ...inObject(value, where)] : replaced
}

const mostItems = 3000
/** A body that is too large is refused before anybody looks into it. */
const mostBytes = 900_000

function inArray(value: readonly unknown[], where: string): readonly Mutation[] {
  const [first] = value
  if (first === undefined) return []
  const inside = mutationsOf(first, `${where}/0`).map(({ what, value: other }) => ({ what, value: [other] }))
  const length = Math.min(mostItems, Math.floor(mostBytes / (JSON.stringify(first ?? null).length + 1)))
  const many = { what: `${where} with ${length} items`, value: Array.from({ length }, () => first) }
  return [...inside, many, { what: `${where} with a repeated item`, value: [first, first] }]
}

function inObject(value: Readonly<Record<string, unknown>>, where: string): readonly Mutation[] {
  const inside = Object.entries(value).flatMap(([name, member]) =>
    mutationsOf(member, `${where}/${name}`).map(({ what, value: other }) => ({
      what,
      value: { ...value, [name]: other },
    })),
  )
  const without = Object.keys(value).map((name) => ({
    what: `${where} without ${name}`,
    value: Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
  }))
  return [...inside, ...without, { what: `${where} with an undeclared member`, value: { ...value, undeclared: 1 } }]
}

/** Text that breaks what is put together from text. */
export const hostileTexts: readonly string[] = [
  "'; drop table iam_user; --",
  '%_\\',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '{{7*7}}',
  '\u202Eevil',
  '😀',
  'ﬃ',
  '\r\nSet-Cookie: a=b',
  '0',
]

/** The value with one of its texts replaced; every text in turn, and each replacement once per text. */
export function withHostileTexts(value: unknown, where = ''): readonly Mutation[] {
  if (typeof value === 'string') return hostileTexts.map((text) => ({ what: `${where} = ${text}`, value: text }))
  if (Array.isArray(value)) {
    return withHostileTexts(value[0], `${where}/0`).map(({ what, value: other }) => ({ what, value: [other] }))
  }
  if (!isJson(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    withHostileTexts(member, `${where}/${name}`).map(({ what, value: other }) => ({
      what,
      value: { ...value, [name]: other },
    })),
  )
}
