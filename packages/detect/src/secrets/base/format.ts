import type { Finding } from '../../base/finding.ts'
import { isWord } from '../../base/matcher.ts'
import { isSampleToken } from './placeholders.ts'

/** A credential known by how it is written: a literal mark and the characters that follow it. */
export interface SecretFormat {
  readonly type: string
  /** Literal marks, exact in case; the scan stops only at these. */
  readonly prefixes: readonly string[]
  /** Sticky pattern of the text after the mark; bounded repeats only. */
  readonly body: RegExp
  /** Confidence, 0..1. Default 0.97. */
  readonly score?: number
  /** How many characters of the value may stand before the mark, and which. */
  readonly lead?: Lead
  /** Checks of the whole value beyond its shape: check sums, structure. A check sum also proves it is no sample. */
  readonly proof?: (value: string) => boolean
}

export interface Lead {
  readonly accepts: (code: number) => boolean
  readonly min: number
  readonly max: number
}

const defaultScore = 0.97

/** The value of a format whose mark stands at `at`, or undefined. */
export function formatAt(text: string, at: number, prefix: string, format: SecretFormat): Finding | undefined {
  if (!text.startsWith(prefix, at)) return undefined
  const start = leadStart(text, at, format.lead)
  if (start < 0 || (isWord(text.charCodeAt(start)) && isWord(text.charCodeAt(start - 1)))) return undefined
  format.body.lastIndex = at + prefix.length
  if (!format.body.test(text)) return undefined
  const end = format.body.lastIndex
  if (isWord(text.charCodeAt(end))) return undefined
  const value = text.slice(start, end)
  const holds = format.proof ? format.proof(value) : !isSampleToken(value.slice(at - start + prefix.length))
  return holds ? { detector: 'secret', type: format.type, start, end, score: format.score ?? defaultScore } : undefined
}

/** Where the value begins; -1 when what stands before the mark does not fit. */
function leadStart(text: string, at: number, lead: Lead | undefined): number {
  if (!lead) return at
  const { accepts, min, max } = lead
  let start = at
  while (start > 0 && at - start <= max && accepts(text.charCodeAt(start - 1))) start -= 1
  const length = at - start
  return length >= min && length <= max ? start : -1
}

const sets = {
  hex: '[0-9a-f]',
  anyHex: '[0-9A-Fa-f]',
  base62: '[0-9A-Za-z]',
  lower36: '[0-9a-z]',
  upper36: '[0-9A-Z]',
  url: '[0-9A-Za-z_-]',
  base64: '[0-9A-Za-z+/]',
  dotted: '[0-9A-Za-z_.-]',
} as const

/** Sticky pattern of `min` to `max` characters of one alphabet. */
export function run(set: keyof typeof sets, min: number, max = min): RegExp {
  return new RegExp(`${sets[set]}{${min},${max}}`, 'y')
}

/** Eight, three times four and twelve hexadecimal digits (RFC 9562). */
export const uuidBody = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/y
