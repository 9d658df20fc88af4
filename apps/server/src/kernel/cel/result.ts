/**
 * The result of an expression as JSON: by the declared form, and never more than may be kept. Tested in
 * values.test.ts.
 */
import { celType, isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import { CelFault } from './faults.ts'
import { celLimits } from './limits.ts'
import type { CelFields, CelShape } from './shape.ts'

/**
 * The engine's value as JSON: whole numbers and fractions as numbers, times as ISO 8601 texts, maps as objects.
 * @throws CelFault where it is not of the form, has no form in JSON, or is too large
 */
export function decode(shape: CelShape, value: unknown): unknown {
  let size = 0
  const count = (by: number): void => {
    size += by
    if (size > celLimits.result) throw new CelFault('Its result is larger than it may be.')
  }
  const decodeAs = (form: CelShape, inner: unknown): unknown => {
    count(1)
    if (typeof inner === 'string') count(inner.length)
    if (typeof form === 'string') return form === 'dyn' ? decodeDynamic(inner, decodeAs) : scalarOf(form, inner)
    if ('list' in form) return itemsOf(inner).map((item) => decodeAs(form.list, item))
    const members = membersOf(inner)
    if ('map' in form) return Object.fromEntries(members.map(([name, member]) => [name, decodeAs(form.map, member)]))
    return decodeFields(form.fields, new Map(members), decodeAs)
  }
  return decodeAs(shape, value)
}

type Decode = (form: CelShape, inner: unknown) => unknown

function itemsOf(value: unknown): readonly unknown[] {
  if (!isCelList(value)) throw new CelFault('Its result is not as declared: a list was expected.')
  return [...value]
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!isCelMap(value)) throw new CelFault('Its result is not as declared: a map was expected.')
  return [...value].map(([name, member]) => [isCelUint(name) ? String(name.value) : String(name), member])
}

function decodeFields(fields: CelFields, members: ReadonlyMap<string, unknown>, decodeAs: Decode): unknown {
  const extra = [...members.keys()].find((name) => !Object.hasOwn(fields, name))
  if (extra !== undefined) throw new CelFault(`Its result is not as declared: there is no field ${extra}.`)
  const present = Object.entries(fields).filter(([name, { optional = false }]) => {
    if (!members.has(name) && !optional) throw new CelFault(`Its result is not as declared: ${name} is missing.`)
    return members.has(name)
  })
  return Object.fromEntries(present.map(([name, { shape }]) => [name, decodeAs(shape, members.get(name))]))
}

function scalarOf(shape: Exclude<Extract<CelShape, string>, 'dyn'>, value: unknown): unknown {
  if (shape === 'string' && typeof value === 'string') return value
  if (shape === 'bool' && typeof value === 'boolean') return value
  if (shape === 'int' && typeof value === 'bigint') return numberOf(value)
  if (shape === 'double' && typeof value === 'bigint') return numberOf(value)
  if (shape === 'double' && typeof value === 'number' && Number.isFinite(value)) return value
  const time = shape === 'timestamp' ? timeOf(value) : null
  if (time !== null) return time
  if (shape === 'bool') throw new CelFault('It is not a condition: it answers neither true nor false.')
  throw new CelFault(`Its result is not as declared: a ${shape} was expected.`)
}

function decodeDynamic(value: unknown, decodeAs: Decode): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return numberOf(value)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (isCelUint(value)) return numberOf(value.value)
  if (isCelList(value)) return decodeAs({ list: 'dyn' }, value)
  if (isCelMap(value)) return decodeAs({ map: 'dyn' }, value)
  const time = timeOf(value)
  if (time === null) throw new CelFault('Its result has no form in JSON.')
  return time
}

/** Numbers of JSON are exact up to 2^53. */
function numberOf(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new CelFault('Its result is a number too large to be exact.')
  return number
}

function timeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('message' in value)) return null
  const { message } = value
  if (celType(value as Parameters<typeof celType>[0]).name !== 'google.protobuf.Timestamp') return null
  if (typeof message !== 'object' || message === null || !('seconds' in message) || !('nanos' in message)) return null
  return new Date(Number(message.seconds) * 1_000 + Math.floor(Number(message.nanos) / 1e6)).toISOString()
}
