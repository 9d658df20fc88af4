/**
 * Names within expressions: the published form of its variables and results. Promises that a value is encoded by its
 * form alone, so that whole numbers count as such, times are times, and null is absent. Tested in cel.test.ts.
 */
import { type CelInput, type CelValue, celEnv, isCelError, parse, plan } from '@bufbuild/cel'
import { CelFault } from './faults.ts'
import { celLimits } from './limits.ts'

export type CelShape =
  | 'string'
  | 'int'
  | 'double'
  | 'bool'
  | 'timestamp'
  /** Any JSON value. Whole numbers are int, others double, null stays null. */
  | 'dyn'
  | { readonly list: CelShape }
  | { readonly map: CelShape }
  | { readonly fields: CelFields }

export interface CelField {
  readonly shape: CelShape
  /** May be absent: an expression has to ask `has()` first. */
  readonly optional?: boolean
}

export type CelFields = Readonly<Record<string, CelField>>

type Encoded = CelInput

const toTimestamp = plan(celEnv(), parse('timestamp(text)'))

function timestampOf(text: string): CelValue {
  const value = toTimestamp({ text })
  if (isCelError(value)) throw new TypeError(`${text} is not a time`)
  return value
}

/** The value in the words of the engine. @throws TypeError where it is not of the form */
export function encode(shape: CelShape, value: unknown): Encoded {
  if (typeof shape === 'string') return encodeScalar(shape, value)
  if ('list' in shape) {
    if (!Array.isArray(value)) throw new TypeError('A list was expected')
    return value.map((item) => encode(shape.list, item))
  }
  const members = membersOf(value)
  if ('map' in shape) return new Map(members.map(([name, member]) => [name, encode(shape.map, member)]))
  return encodeFields(shape.fields, new Map(members))
}

/** Encodes every field by its own form; members without a form are dropped. */
export function encodeFields(fields: CelFields, members: ReadonlyMap<string, unknown>): Map<string, Encoded> {
  const encoded = new Map<string, Encoded>()
  for (const [name, { shape, optional = false }] of Object.entries(fields)) {
    const member = members.get(name)
    const present = member !== undefined && (member !== null || shape === 'dyn')
    if (present) encoded.set(name, encode(shape, member))
    else if (!optional) throw new TypeError(`${name} is missing`)
  }
  return encoded
}

function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) throw new TypeError('An object was expected')
  return Object.entries(value)
}

function encodeScalar(shape: Extract<CelShape, string>, value: unknown): Encoded {
  if (shape === 'string' && typeof value === 'string') return value
  if (shape === 'bool' && typeof value === 'boolean') return value
  if (shape === 'double' && typeof value === 'number') return value
  if (shape === 'int' && typeof value === 'number') return BigInt(Math.trunc(value))
  if (shape === 'timestamp' && typeof value === 'string') return timestampOf(value)
  if (shape === 'dyn') return encodeDynamic(value, 1)
  throw new TypeError(`A ${shape} was expected`)
}

/** @throws CelFault where it is nested too deep */
function encodeDynamic(value: unknown, depth: number): Encoded {
  if (depth > celLimits.dynamicDepth)
    throw new CelFault(`It was given a value nested deeper than ${celLimits.dynamicDepth}.`)
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map((item) => encodeDynamic(item, depth + 1))
  return new Map(membersOf(value).map(([name, member]) => [name, encodeDynamic(member, depth + 1)]))
}

/** A value of the form: with everything that may be absent, or without. Expressions are tried on both when saved. */
export function sampleOf(shape: CelShape, full: boolean): unknown {
  if (typeof shape === 'string') return scalarSamples[shape]
  if ('list' in shape) return full ? [sampleOf(shape.list, full)] : []
  if ('map' in shape) return full ? { sample: sampleOf(shape.map, full) } : {}
  const present = Object.entries(shape.fields).filter(([, { optional = false }]) => full || !optional)
  return Object.fromEntries(present.map(([name, field]) => [name, sampleOf(field.shape, full)]))
}

const scalarSamples = {
  string: 'sample',
  int: 1,
  double: 1,
  bool: true,
  timestamp: '2026-01-01T12:00:00Z',
  dyn: null,
} as const
