/**
 * JSON Schema 2020-12 on arguments, compiled once by Ajv. Promises that a schema refers to nothing outside itself, that
 * its references form no circle and unfold to a bounded size, and that its patterns run in linear time. Tested in
 * checks.test.ts.
 */

import { compilePattern } from '@parapet/detect'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isRecord } from '../../../../kernel/base/is-record.ts'
import type { CheckOf } from '../declared/checks-schema.ts'
import type { Facts } from './facts.ts'
import { GuardrailRefusal } from './refusal.ts'

const bounds = { bytes: 32_768, unfolded: 5_000, depth: 64, uniqueItems: 1_000 }

/** Keywords that load, name or rename schemas. */
const refusedKeywords = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$anchor', '$id']
const dialect = 'https://json-schema.org/draft/2020-12/schema'

type Json = Readonly<Record<string, unknown>>

/** Compiles the check. @throws GuardrailRefusal */
export function compileSchema(check: CheckOf<'json_schema'>, pointer: string): (facts: Facts) => boolean {
  const at = `${pointer}/schema`
  if (check.schema.$schema !== undefined && check.schema.$schema !== dialect)
    throw new GuardrailRefusal('schema', `${at}/$schema`, `Schemas are of the dialect ${dialect}.`)
  const wantsValid = check.holds_when === 'valid'
  const validate = compileValidator(check.schema, { at, strict: true })
  return ({ context: { args } }) => validate(args ?? null) === wantsValid
}

export interface Compiling {
  /** Pointer of the schema, for refusals. */
  readonly at: string
  /** Refuses unknown keywords; otherwise they have no effect. */
  readonly strict: boolean
}

/** Whether a value is valid by the schema. @throws GuardrailRefusal for a schema outside of the bounds */
export function compileValidator(root: Json, { at, strict }: Compiling): (value: unknown) => boolean {
  const text = JSON.stringify(root)
  if (text.length > bounds.bytes)
    throw new GuardrailRefusal('cost', at, `The schema has ${text.length} characters; ${bounds.bytes} are allowed.`)
  unfold(root, at)
  const { $schema: _dialect, ...schema } = root
  return compiled(schema, { at, strict })
}

function compiled(schema: Json, { at, strict }: Compiling): (value: unknown) => boolean {
  try {
    // One instance for each schema, so that none sees another one's names.
    const ajv = new Ajv2020({
      strict,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
      code: { regExp },
    })
    const validate = ajv.compile(schema)
    return (value) => validate(value) === true
  } catch (error) {
    if (error instanceof GuardrailRefusal) throw new GuardrailRefusal(error.kind, at, error.message)
    const said = error instanceof Error ? error.message : String(error)
    throw new GuardrailRefusal('schema', at, `The schema cannot be used: ${said.slice(0, 300)}.`)
  }
}

/** Patterns on the linear engine. Ajv names the engine in code that it writes to files, which is not done here. */
const regExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source)
    if (!pattern.ok) throw new GuardrailRefusal('cost', '', `Its pattern cannot be used. ${pattern.reason}`)
    // Ajv tells patterns from each other by this text alone.
    return { test: (text: string) => pattern.pattern.test(text), toString: () => source }
  },
  { code: 'compilePattern' },
)

/**
 * Counts the schema with every reference replaced by its target.
 * @throws GuardrailRefusal for references outside or in a circle, and for one that grows too large
 */
function unfold(root: Json, at: string): void {
  let size = 0
  const walk = (value: unknown, pointer: string, open: readonly string[]): void => {
    size += 1
    if (size > bounds.unfolded)
      throw new GuardrailRefusal('cost', at, `With its references the schema has more than ${bounds.unfolded} parts.`)
    if (pointer.split('/').length > bounds.depth)
      throw new GuardrailRefusal('cost', at, `The schema is nested deeper than ${bounds.depth}.`)
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${pointer}/${index}`, open)
    if (!isRecord(value)) return
    refuseKeywords(value, pointer)
    for (const [name, member] of Object.entries(value)) {
      if (name === '$ref') follow(member, pointer, open)
      else if (name !== 'const' && name !== 'enum' && name !== 'default' && name !== 'examples')
        if (name !== '$defs' && name !== 'definitions')
          // A definition counts where it is used.
          walk(member, `${pointer}/${name}`, open)
    }
  }
  const follow = (reference: unknown, pointer: string, open: readonly string[]): void => {
    if (typeof reference !== 'string' || !/^#\//.test(reference))
      throw new GuardrailRefusal(
        'schema',
        `${pointer}/$ref`,
        'A reference leads into the schema itself, as in #/$defs/name.',
      )
    if (open.includes(reference))
      throw new GuardrailRefusal('cost', `${pointer}/$ref`, `The reference ${reference} leads back to itself.`)
    const target = resolve(root, reference)
    if (target === undefined)
      throw new GuardrailRefusal('schema', `${pointer}/$ref`, `There is nothing at ${reference}.`)
    walk(target, pointer, [...open, reference])
  }
  walk(root, at, [])
}

function refuseKeywords(schema: Json, pointer: string): void {
  const found = refusedKeywords.find((name) => typeof schema[name] === 'string' || typeof schema[name] === 'boolean')
  if (found !== undefined)
    throw new GuardrailRefusal('schema', `${pointer}/${found}`, `The keyword ${found} is not supported.`)
  const { uniqueItems, maxItems } = schema
  if (uniqueItems === true && (typeof maxItems !== 'number' || maxItems > bounds.uniqueItems)) {
    const detail = `uniqueItems needs maxItems of ${bounds.uniqueItems} at most beside it.`
    throw new GuardrailRefusal('cost', `${pointer}/uniqueItems`, detail)
  }
}

/** RFC 6901. */
function resolve(root: Json, reference: string): unknown {
  let value: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}
