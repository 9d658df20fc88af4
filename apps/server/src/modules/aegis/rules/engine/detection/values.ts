/** Tests of one value of a field. Pure. Tested in detection.test.ts. */

import { compilePattern } from '@parapet/detect'
import { isNetwork, isWithin } from '../../../../../kernel/net/networks.ts'
import { RuleRefusal } from '../base/refusal.ts'
import type { FieldKey } from './modifiers.ts'
import { literalOf, type TextTest, wildcardTest } from './wildcard.ts'

/** Asked about a scalar of the event, never about an object or a list. */
export type ValueTest = (value: unknown) => boolean

export type Scalar = string | number | boolean | null

/** Text that is looked at: of longer values the beginning. */
const mostText = 65_536

/** Numbers and truth values are compared as they are written. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.length > mostText ? value.slice(0, mostText) : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** Of the text that was asked about last: rules ask about the same fields of an event one after the other. */
const folded = { text: '', lower: '' }

export function lowerCase(text: string): string {
  if (text === folded.text) return folded.lower
  folded.text = text
  folded.lower = text.toLowerCase()
  return folded.lower
}

/** @throws RuleRefusal for a value that its modifiers cannot take */
export function valueTest(key: FieldKey, value: Scalar, pointer: string): ValueTest {
  if (value === null) {
    if (key.comparison === 'equals') return (actual) => actual === null || actual === undefined
    throw new RuleRefusal('null', pointer, `The modifier ${key.comparison} needs a value.`)
  }
  switch (key.comparison) {
    case 're':
      return regexTest(value, pointer)
    case 'cidr':
      return networkTest(value, pointer)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return orderTest(key.comparison, value, pointer)
    default:
      return textTest(key, value)
  }
}

function textTest(key: FieldKey, value: string | number | boolean): ValueTest {
  const fold = key.cased ? (text: string): string => text : lowerCase
  const tests: readonly TextTest[] = variantsOf(key, String(value)).map((variant) =>
    wildcardTest(fold(variant), openingsOf(key)),
  )
  return (actual) => {
    const text = textOf(actual)
    if (text === null) return false
    const compared = fold(text)
    return tests.some((test) => test(compared))
  }
}

/** Base64 is found inside of other base64 at three places, so its text is always a part. */
const openingsOf = ({ comparison, encoding }: FieldKey) => ({
  start: comparison === 'contains' || comparison === 'endswith' || encoding === 'base64offset',
  end: comparison === 'contains' || comparison === 'startswith' || encoding === 'base64offset',
})

const dashes = ['-', '/', '–', '—', '―'] as const

function variantsOf({ windash, encoding }: FieldKey, value: string): readonly string[] {
  const dashed = windash ? withDashes(value) : [value]
  if (encoding === 'base64') return dashed.map((text) => Buffer.from(plainOf(text)).toString('base64'))
  return encoding === 'base64offset' ? dashed.flatMap(offsetsOf) : dashed
}

/** The text with the dash that begins its options written in each way that Windows programs take. */
function withDashes(value: string): readonly string[] {
  return [...new Set(dashes.map((dash) => value.replaceAll(/(^|\s)[-/]/g, (_all, before: string) => before + dash)))]
}

/** Removes the escapes of wildcards: the encoding applies to the text itself. */
const plainOf = (value: string): string => literalOf(value) ?? value

/** Characters of base64 at each of three offsets that no neighbor changes. */
function offsetsOf(value: string): readonly string[] {
  const bytes = Buffer.from(plainOf(value))
  const starts = [0, 2, 3]
  const ends = [0, 3, 2]
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset, 32), bytes]).toString('base64')
    const cut = ends[(bytes.length + offset) % 3] ?? 0
    return encoded.slice(starts[offset] ?? 0, encoded.length - cut)
  })
}

/** On an engine without backtracking; letters count as they are written. */
function regexTest(value: string | number | boolean, pointer: string): ValueTest {
  const compiled = compilePattern(String(value), { maxLength: 2_048 })
  if (!compiled.ok) {
    throw new RuleRefusal('pattern', pointer, `The pattern cannot be used. ${compiled.reason}`, 'unsafe')
  }
  const { pattern } = compiled
  return (actual) => {
    const text = textOf(actual)
    return text !== null && pattern.test(text)
  }
}

function networkTest(value: string | number | boolean, pointer: string): ValueTest {
  const network = String(value)
  if (!network.includes('/') || !isNetwork(network))
    throw new RuleRefusal('cidr', pointer, `${network.slice(0, 60)} is no network.`)
  return (actual) => typeof actual === 'string' && isWithin(actual, network)
}

function orderTest(
  comparison: 'lt' | 'lte' | 'gt' | 'gte',
  value: string | number | boolean,
  pointer: string,
): ValueTest {
  const bound = typeof value === 'number' ? value : Number(value)
  if (typeof value === 'boolean' || !Number.isFinite(bound))
    throw new RuleRefusal(comparison, pointer, `The modifier ${comparison} needs a number.`)
  return (actual) => {
    const number = numberOf(actual)
    if (number === null) return false
    if (comparison === 'lt') return number < bound
    if (comparison === 'lte') return number <= bound
    return comparison === 'gt' ? number > bound : number >= bound
  }
}

/** Numbers, and texts that are one, such as sums of money. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
