/**
 * Reads a JSON body strictly: input that two parsers could read in two ways is refused. Duplicate members, prototype
 * keys, nesting over 64, more than 100,000 values, text that is not UTF-8 and (unless the route stores bytes) NUL or
 * lone surrogates are 400. `JSON.parse` does the reading; the scan before it only looks. Tested in json-body.test.ts.
 */
import { parseExact } from '../../base/exact-json.ts'
import { apiErrors } from '../../errors/errors.ts'
import type { ProblemError } from '../../errors/problem.ts'
import { escapePointer } from '../../schema/json-pointer.ts'
import { isStorableText } from '../../schema/storable-text.ts'

const maxDepth = 64
const maxValues = 100_000
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface BodyOptions {
  readonly anyText: boolean
  /** Whole numbers keep their digits; see `exact-json.ts`. */
  readonly exactNumbers?: boolean
  /** Default 100,000. */
  readonly maxValues?: number
}

/** @throws API-001 for JSON that is refused, API-002 for text that is not JSON. */
export function parseBody(bytes: Uint8Array, options: BodyOptions): unknown {
  const text = decode(bytes)
  scan(text, options.maxValues ?? maxValues)
  const value = parse(text, options.exactNumbers === true ? parseExact : JSON.parse)
  if (!options.anyText) refuseUnstorableText(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw malformed('The body is not valid UTF-8.').causedBy(error)
  }
}

function parse(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text)
  } catch (error) {
    throw malformed('The body is not valid JSON.').causedBy(error)
  }
}

function malformed(what: string): ProblemError {
  return apiErrors.malformedJson({ what })
}

interface Frame {
  /** Member names seen so far; null for an array. */
  readonly names: Set<string> | null
  readonly path: string
  key: string
  index: number
}

const quote = 0x22
const backslash = 0x5c

/** One pass over the text, ignoring values; broken syntax is left for `JSON.parse` to name. */
function scan(text: string, most: number): void {
  const frames: Frame[] = []
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      const frame = frames.at(-1)
      if (frame?.names && isMemberName(text, end)) noteMember(frame, text.slice(at, end))
      at = end - 1
    } else if (code === 0x7b || code === 0x5b) {
      if (frames.length >= maxDepth) throw tooMuch(`The body nests deeper than ${maxDepth} levels.`)
      frames.push({ names: code === 0x7b ? new Set() : null, path: pathOf(frames), key: '', index: 0 })
    } else if (code === 0x7d || code === 0x5d) {
      frames.pop()
    } else if (code === 0x2c) {
      values += 1
      if (values > most) throw tooMuch(`The body holds more than ${most} values.`)
      const frame = frames.at(-1)
      if (frame) frame.index += 1
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at + 1
  }
  return text.length
}

function isMemberName(text: string, after: number): boolean {
  let at = after
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1
  return text.charCodeAt(at) === 0x3a
}

function noteMember(frame: Frame, quoted: string): void {
  const name = quoted.includes('\\') ? unquote(quoted) : quoted.slice(1, -1)
  const pointer = `${frame.path}/${escapePointer(name)}`
  if (forbiddenNames.has(name)) throw refused('This member name is not allowed.', pointer)
  if (frame.names?.has(name)) throw refused('The member appears twice.', pointer)
  frame.names?.add(name)
  frame.key = name
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    // Not a valid string; JSON.parse of the whole body will say so.
    return quoted
  }
}

function pathOf(frames: readonly Frame[]): string {
  const frame = frames.at(-1)
  if (frame === undefined) return ''
  return `${frame.path}/${frame.names ? escapePointer(frame.key) : frame.index}`
}

function tooMuch(what: string): ProblemError {
  return apiErrors.validation({ what })
}

function refused(detail: string, pointer: string): ProblemError {
  return apiErrors.validation({ what: 'The body was refused.' }).at([{ detail, pointer }])
}

function refuseUnstorableText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (!isStorableText(value)) throw refused('The text holds NUL or half a surrogate pair.', path)
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseUnstorableText(item, `${path}/${index}`)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorableText(name)) throw refused('The member name holds NUL or half a surrogate pair.', path)
      refuseUnstorableText(member, `${path}/${escapePointer(name)}`)
    }
  }
}
