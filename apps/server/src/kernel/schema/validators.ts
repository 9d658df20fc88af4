/**
 * Validation from the declared schemas, compiled at first use (compiling 240 routes eagerly costs a second at start).
 * Bodies are checked as they are: nothing is coerced, filled in or removed. Query values are text and are read strictly
 * by the type their schema names. Tested in validators.test.ts.
 */

import Type, { type TObject, type TSchema } from 'typebox'
import { apiErrors } from '../errors/errors.ts'
import { compiledOf } from './fits.ts'
import { escapePointer } from './json-pointer.ts'
import { isStorableText } from './storable-text.ts'

interface Part {
  readonly detail: string
  readonly pointer: string
}

interface CheckError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

export type Check = (value: unknown) => readonly Part[]

const maxParts = 20

/** A checker of one schema; the compiler runs when the first value comes. */
export function lazyCheck(schema: TSchema): Check {
  return (value) => {
    const compiled = compiledOf(schema)
    return compiled.Check(value) ? [] : describeErrors(compiled.Errors(value))
  }
}

/** Never empty: a value that does not fit has an error. The library stops after a few errors, whichever they are. */
function describeErrors(errors: Iterable<CheckError>): readonly Part[] {
  const parts = new Map<string, Part>()
  // `boolean` stands for each unknown member, and `additionalProperties` once for all of them.
  for (const part of [...errors].flatMap(describeError)) if (!parts.has(part.pointer)) parts.set(part.pointer, part)
  const all = [...parts.values()].slice(0, maxParts)
  return all.length > 0 ? all : [{ detail: 'This is not valid.', pointer: '' }]
}

function describeError(error: CheckError): readonly Part[] {
  const { params } = error
  if (error.keyword === 'boolean') return [{ detail: 'There is no such field.', pointer: error.instancePath }]
  if ('additionalProperties' in params && Array.isArray(params.additionalProperties)) {
    return params.additionalProperties.map((name) => ({
      detail: 'There is no such field.',
      pointer: `${error.instancePath}/${escapePointer(String(name))}`,
    }))
  }
  if ('requiredProperties' in params && Array.isArray(params.requiredProperties)) {
    return params.requiredProperties.map((name) => ({
      detail: 'This field is required.',
      pointer: `${error.instancePath}/${escapePointer(String(name))}`,
    }))
  }
  const allowed =
    'allowedValues' in params && Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
  return [{ detail: `This ${error.message}${allowed}.`, pointer: error.instancePath }]
}

/** @throws API-001 with a pointer for each field that is wrong. */
export function bodyReader(schema: TSchema | null): (body: unknown) => unknown {
  const check = lazyCheck(schema ?? Type.Object({}, { additionalProperties: false }))
  return (body) => {
    const value = body === undefined || body === null ? {} : body
    const parts = check(value)
    if (parts.length > 0) throw apiErrors.validation({ what: summary(parts, 'body') }).at(parts)
    return value
  }
}

function summary(parts: readonly Part[], where: string): string {
  return parts.length === 1
    ? `One field of the ${where} is not valid.`
    : `${parts.length} fields of the ${where} are not valid.`
}

const integerPattern = /^-?(?:0|[1-9]\d{0,15})$/
const decimalPattern = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

function typeOf(schema: TSchema): string {
  return 'type' in schema && typeof schema.type === 'string' ? schema.type : 'string'
}

/** Reads one query value by its schema's type; null when the text is not of that type. */
function readText(text: string, type: string): unknown {
  if (type === 'integer') return integerPattern.test(text) ? Number(text) : null
  if (type === 'number') return decimalPattern.test(text) ? Number(text) : null
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  return text
}

/** @throws API-001 with `?name` pointers. */
export function queryReader(schema: TObject): (query: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const check = lazyCheck(schema)
  const types = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, typeOf(property as TSchema)]),
  )
  return (query) => {
    const parts: Part[] = []
    const values: Record<string, unknown> = {}
    for (const [name, raw] of Object.entries(query)) {
      const type = types.get(name)
      const read = type === undefined ? null : readParameter(raw, type)
      if (type === undefined) parts.push({ detail: 'There is no such query parameter.', pointer: `?${name}` })
      else if (read === null) parts.push({ detail: `This must be one ${type}.`, pointer: `?${name}` })
      else values[name] = read
    }
    const wrong =
      parts.length > 0 ? parts : check(values).map((part) => ({ ...part, pointer: queryPointer(part.pointer) }))
    if (wrong.length > 0) throw apiErrors.validation({ what: summary(wrong, 'query') }).at(wrong)
    return values
  }
}

function readParameter(raw: unknown, type: string): unknown {
  if (type === 'array') return Array.isArray(raw) ? raw : [raw]
  return typeof raw === 'string' && isStorableText(raw) ? readText(raw, type) : null
}

function queryPointer(pointer: string): string {
  return `?${pointer.slice(1).split('/')[0] ?? ''}`
}
