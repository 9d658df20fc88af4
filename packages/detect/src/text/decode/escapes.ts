/**
 * Character escapes inside running text: percent, HTML entities, backslash escapes, U+ notation, quoted-printable.
 * Lines with escapes are given once for each family, with the escapes undone in place.
 */

import { utf8Text } from '../bytes/base64.ts'
import { isPrintable } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'
import { namedEntities } from './entities.ts'

interface Family {
  readonly name: string
  /** A string that must occur; a search for it costs next to nothing. */
  readonly sign: string
  readonly pattern: RegExp
  /** Fewer decoded characters are everyday text (`50%20off` in a link). */
  readonly least: number
  decode(written: string): string | undefined
}

const codePoint = (digits: string, base: number): string | undefined => {
  const code = Number.parseInt(digits, base)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** Bytes written as pairs of hexadecimal digits after a sign each, as UTF-8 or, failing that, Latin-1. */
function hexRun(written: string, sign: string): string | undefined {
  const step = sign.length + 2
  const bytes = new Uint8Array(Math.floor(written.length / step))
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = (nibble(written.charCodeAt(i * step + step - 2)) << 4) | nibble(written.charCodeAt(i * step + step - 1))
  return utf8Text(bytes) ?? String.fromCharCode(...bytes)
}

const nibble = (code: number): number => (code <= 57 ? code - 48 : (code & 0xdf) - 55)

const families: readonly Family[] = [
  {
    name: 'percent',
    sign: '%',
    pattern: /(?:%[0-9a-fA-F]{2}){1,64}/g,
    least: 3,
    decode: (written) => hexRun(written, '%'),
  },
  {
    name: 'html-entities',
    sign: '&',
    pattern: /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});?/g,
    least: 3,
    decode: decodeEntity,
  },
  {
    name: 'escape-sequences',
    sign: '\\',
    pattern:
      /(?:\\x[0-9a-fA-F]{2}){1,64}|\\{1,4}u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8}|\\[0-3]?[0-7]{2}|\\[nrt"'/]/g,
    least: 3,
    decode: decodeBackslash,
  },
  {
    name: 'unicode-notation',
    sign: '+',
    pattern: /[uU]\+[0-9a-fA-F]{4,6}[ ,;]?/g,
    least: 3,
    decode: (written) => codePoint(written.slice(2).replace(/[ ,;]/, ''), 16),
  },
  {
    name: 'quoted-printable',
    sign: '=',
    pattern: /(?:=[0-9A-F]{2}){1,64}|=\r?\n/g,
    // `n=20` is common in code.
    least: 6,
    decode: (written) => (/^=\r?\n$/.test(written) ? '' : hexRun(written, '=')),
  },
]

function decodeEntity(written: string): string | undefined {
  const body = written.endsWith(';') ? written.slice(1, -1) : written.slice(1)
  if (!body.startsWith('#')) return written.endsWith(';') ? namedEntities.get(body) : undefined
  return body[1] === 'x' || body[1] === 'X' ? codePoint(body.slice(2), 16) : codePoint(body.slice(1), 10)
}

function decodeBackslash(written: string): string | undefined {
  const kind = written.charAt(written.lastIndexOf('\\') + 1)
  if (kind === 'x') return hexRun(written, '\\x')
  if (kind === 'u' || kind === 'U') return codePoint(written.replace(/[^0-9a-fA-F]/g, ''), 16)
  if (/\d/.test(kind)) return codePoint(written.slice(1), 8)
  return kind === 'n' || kind === 'r' || kind === 't' ? ' ' : kind
}

/** One candidate for each family that occurs often enough. */
export function decodeEscapes(text: string, budget: Budget): Candidate[] {
  return families.flatMap((family) => {
    if (text.indexOf(family.sign) < 0) return []
    const candidate = undo(text, family, budget)
    return candidate ? [candidate] : []
  })
}

// JSON and markup are full of these; they hide nothing.
const isLayout = /^(?:\\[nrt"'/]|&(?:amp|lt|gt|quot|nbsp|apos|#39|#34|#x200b);?)$/i

function undo(text: string, family: Family, budget: Budget): Candidate | undefined {
  const pieces: Piece[] = []
  let escapes = 0
  let consumed = 0
  // The end of the last line taken over.
  let copied = 0
  for (const match of text.matchAll(family.pattern)) {
    if (!spend(budget, 4 + (match[0].length >> 4))) break
    const decoded = family.decode(match[0])
    if (decoded === undefined || (decoded !== '' && !isPrintable(decoded))) continue
    const from = Math.max(copied, lineStart(text, match.index, copied))
    if (from > copied && pieces.length > 0) closeLine(text, pieces, { from: copied, limit: from })
    pieces.push({ text: text.slice(from, match.index), start: from, end: match.index, literal: true })
    copied = match.index + match[0].length
    pieces.push({ text: decoded, start: match.index, end: copied, literal: false })
    if (!isLayout.test(match[0])) escapes += Math.max(1, decoded.length)
    consumed += match[0].length
  }
  if (escapes < family.least) return undefined
  closeLine(text, pieces, { from: copied, limit: text.length })
  return { name: family.name, consumed, ...patch(pieces) }
}

const maxContext = 400

/** Start of the line that holds `at`, not before `floor` nor more than 400 characters back. */
function lineStart(text: string, at: number, floor: number): number {
  const least = Math.max(floor, at - maxContext)
  let from = at
  while (from > least && text.charCodeAt(from - 1) !== 10) from -= 1
  return from
}

function closeLine(text: string, pieces: Piece[], { from, limit }: { from: number; limit: number }): void {
  const most = Math.min(limit, from + maxContext)
  let end = from
  while (end < most && text.charCodeAt(end) !== 10) end += 1
  pieces.push({ text: `${text.slice(from, end)}\n`, start: from, end, literal: true })
}
