/** Values made from a JSON schema: the smallest valid one, and one with every optional member. */
export type Json = Readonly<Record<string, unknown>>

export interface Choices {
  /** Makes names that must differ differ. */
  readonly n: number
  /** With optional members too. */
  readonly full: boolean
  /** Id for a member of this name whose form is a UUID. */
  readonly idFor: (member: string) => string
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws Error naming the member when no known text has its form */
export function valueFor(schema: unknown, choices: Choices, member = ''): unknown {
  if (!isJson(schema)) throw new Error(`${member} has no schema`)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return valueFor(schema.anyOf.find(isNotNull), choices, member)
  if (schema.type === 'object') return objectOf(schema, choices)
  if (schema.type === 'array') return arrayOf(schema, choices, member)
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return leastOf(schema)
  if (schema.type === 'null') return null
  return textOf(schema, choices, member)
}

function leastOf({ minimum, exclusiveMinimum }: Json): unknown {
  const isAbove = typeof exclusiveMinimum === 'number' && (typeof minimum !== 'number' || minimum <= exclusiveMinimum)
  return isAbove ? exclusiveMinimum + 1 : (minimum ?? 1)
}

const isNotNull = (branch: unknown): boolean => isJson(branch) && branch.type !== 'null'

function objectOf(schema: Json, choices: Choices): Json {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = isJson(schema.properties) ? Object.entries(schema.properties) : []
  const made = properties
    .filter(([name]) => choices.full || required.has(name))
    .map(([name, property]) => [name, valueFor(property, choices, name)])
  return Object.fromEntries(made.length > 0 ? made : anyMember(schema, choices))
}

/** A member of an object whose names are free, where it needs one. */
function anyMember(schema: Json, choices: Choices): readonly (readonly [string, unknown])[] {
  const [member] = isJson(schema.patternProperties) ? Object.values(schema.patternProperties) : []
  if (schema.minProperties === undefined || member === undefined) return []
  return [['sample', valueFor(member, choices, 'sample')]]
}

function arrayOf(schema: Json, choices: Choices, member: string): readonly unknown[] {
  const atLeast = typeof schema.minItems === 'number' ? schema.minItems : 0
  const atMost = typeof schema.maxItems === 'number' ? schema.maxItems : 1
  const wanted = Math.min(Math.max(atLeast, choices.full ? 1 : 0), atMost)
  return Array.from({ length: wanted }, (_, index) =>
    valueFor(schema.items, { ...choices, n: choices.n + index }, member),
  )
}

function textOf(schema: Json, choices: Choices, member: string): string {
  const { n } = choices
  if (schema.format === 'uuid') return choices.idFor(member)
  if (schema.format === 'email') return `sample-${n}@sample.example`
  if (schema.format === 'date-time') return '2099-01-01T00:00:00.000Z'
  const found = [...candidates(n), ...membersIn(schema)].find((text) => hasForm(text, schema))
  if (found === undefined) throw new Error(`no candidate text for ${member}: ${JSON.stringify(schema)}`)
  return found
}

/** The first word of a list of declared words, as `include` takes it: `^(a|b)(,(a|b))*$`. */
function membersIn({ pattern }: { readonly pattern?: unknown }): readonly string[] {
  const [, first] = /^\^\((\w+)[|)]/.exec(String(pattern)) ?? []
  return first === undefined ? [] : [first]
}

function candidates(n: number): readonly string[] {
  return [
    `sample-${n}`,
    `sample ${n}`,
    'iam:read',
    'en',
    'sample',
    '000000',
    '2001:db8::1',
    'abcdef0123456789'.repeat(4),
    'abcdef0123456789'.repeat(4).slice(0, 43),
    '0',
    'USD',
    'provider',
    'requests',
    '09:00',
    'session',
    'EEA',
    '2026-01-01',
    'P30D',
    'manager',
    'DE',
    'history',
    'lec',
    'https://sample.example/',
    'CVE-2026-0001',
    'T1078',
    'current',
    'paths',
    'steps',
    'tree',
    'results',
    '/sample',
    'trust.score',
  ]
}

function hasForm(text: string, schema: Json): boolean {
  const atLeast = typeof schema.minLength === 'number' ? schema.minLength : 0
  const atMost = typeof schema.maxLength === 'number' ? schema.maxLength : Number.MAX_SAFE_INTEGER
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : /^/
  return text.length >= atLeast && text.length <= atMost && pattern.test(text)
}
