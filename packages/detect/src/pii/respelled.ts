/**
 * E-mail addresses and card numbers whose characters are written in another way, or with something unseen between them:
 * percent-encoding, character references, backslash escapes, full-width forms, soft hyphens, zero-width characters.
 * Promises findings that hold at least one such spelling and span at most 192 characters, and to read only text near one.
 * Tested in respelled.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { namedEntities } from '../text/decode/entities.ts'
import { type Budget, spend } from '../text/view/budget.ts'
import { compactOf, digitValue } from './base/characters.ts'
import { cost, unlimited } from './base/effort.ts'
import type { Identifier } from './base/identifier.ts'
import { createLayoutTree } from './base/layouts.ts'
import { continues, mayBegin } from './identifiers/recognize-identifiers.ts'
import { recognizeEmail } from './net/email.ts'
import { cards } from './numbers/cards.ts'

export const respelledMatcher: Matcher = { types: ['EMAIL', 'CREDIT_CARD'], marked: true, collect }

/** Longest finding, in characters of the text: as far as streams hold a value that is no single word. */
const longest = 192
const reach = longest + 8

/** Of percent signs those for ASCII, also encoded once more; nothing, or one character, stands for each. */
const spelling =
  /%(?:25){0,3}(?:[2-7][0-9A-Fa-f]|0[9AaDd])|&(?:#0{0,4}\d{1,5}|#[xX]0{0,4}[0-9A-Fa-f]{1,4}|[a-zA-Z]{2,8});|\\{1,2}(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[tn])|\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]|\udb40[\udc00-\uddef]|[\ufe52\ufe6b\uff01-\uff5e]/g

const unseen = /^(?:\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f])$/

/** A spelling and the character it stands for; empty for an invisible one. */
interface Spelled {
  readonly start: number
  readonly end: number
  readonly stands: string
}

function collect(text: string, from: number, found: Finding[], effort: Budget = unlimited()): void {
  spelling.lastIndex = from
  let near: Spelled[] = []
  for (let match = spelling.exec(text); match !== null; match = spelling.exec(text)) {
    const { index: start, 0: written } = match
    const stands = plainOf(written)
    if (stands === undefined) continue
    if (!spend(effort, cost.word)) return
    const last = near.at(-1)
    if (last !== undefined && start - last.end > reach) {
      read(text, near, found)
      near = []
    }
    near.push({ start, end: start + written.length, stands })
  }
  if (near.length > 0) read(text, near, found)
}

/** The character that is meant, undefined where it is none that values are made of. */
function plainOf(written: string): string | undefined {
  const code = codeOf(written)
  if (Number.isNaN(code)) return undefined
  const char = String.fromCharCode(code)
  if (unseen.test(char)) return ''
  if (code === 0xa0) return ' '
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  return (code >= 32 && code < 127) || code === 9 || code === 10 || code === 13 ? char : undefined
}

/** Not a number for a name of another character. */
function codeOf(written: string): number {
  const first = written.charCodeAt(0)
  if (first === 37) return Number.parseInt(written.slice(-2), 16)
  if (first === 38) return codeOfReference(written.slice(1, -1))
  if (first === 92) return codeOfEscape(written.replace(/^\\+/, ''))
  if (first === 0xdb40 || first === 0xfe52 || first === 0xfe6b)
    return first === 0xdb40 ? 0x200b : first === 0xfe52 ? 46 : 64
  return first
}

function codeOfReference(name: string): number {
  if (/^#x/i.test(name)) return Number.parseInt(name.slice(2), 16)
  if (name.startsWith('#')) return Number(name.slice(1))
  const stands = namedEntities.get(name)
  if (stands === undefined) return Number.NaN
  return stands === '' ? 0x200b : stands.charCodeAt(0)
}

function codeOfEscape(body: string): number {
  if (body === 't') return 9
  return body === 'n' ? 10 : Number.parseInt(body.slice(1), 16)
}

/** Decoded content of a part of a text, and the origin of each of its characters. */
interface Reading {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

function read(text: string, near: readonly Spelled[], found: Finding[]): void {
  const reading = readingOf(text, near)
  const values: Finding[] = []
  for (let at = reading.text.indexOf('@'); at >= 0; at = reading.text.indexOf('@', at + 1))
    recognizeEmail({ text: reading.text, found: values }, at)
  recognizeCards(reading.text, values)
  for (const { start, end, score, ...value } of values) {
    const from = reading.starts[start] ?? 0
    const to = reading.ends[end - 1] ?? from
    const isSpelled = near.some((one) => one.start >= from && one.start < to)
    if (!isSpelled || to - from > longest) continue
    // This reading knows more of the value than one that reads it letter by letter.
    found.push({ ...value, start: from, end: to, score: score + 0.005, rule: `${value.rule}-respelled` })
  }
}

function readingOf(text: string, near: readonly Spelled[]): Reading {
  const starts: number[] = []
  const ends: number[] = []
  let plain = ''
  const copy = (from: number, to: number): void => {
    plain += text.slice(from, to)
    for (let at = from; at < to; at += 1) {
      starts.push(at)
      ends.push(at + 1)
    }
  }
  let at = Math.max(0, (near[0]?.start ?? 0) - reach)
  for (const { start, end, stands } of near) {
    copy(at, start)
    plain += stands
    if (stands !== '') {
      starts.push(start)
      ends.push(end)
    }
    at = end
  }
  copy(at, Math.min(text.length, at + reach))
  return { text: plain, starts, ends }
}

const tree = createLayoutTree(cards)

function recognizeCards(text: string, found: Finding[]): void {
  for (let start = 0; start < text.length; start += 1) {
    if (digitValue(text.charCodeAt(start)) < 0 || !mayBegin(text, start)) continue
    tree.walk(text, start, (candidates, end) => {
      const card = continues(text, end) ? undefined : validCard(candidates, text, { start, end })
      if (card === undefined || card.chance < leastChance) return
      const { id: rule, type, chance: score } = card
      found.push({ detector: 'pii', type, start, end, score, rule })
    })
  }
}

/** Below, words near a number decide, and here none are read. */
const leastChance = 0.6

function validCard(
  candidates: readonly Identifier[],
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): Identifier | undefined {
  const printed = text.slice(start, end)
  const compact = compactOf(text, start, end)
  return candidates.find(({ valid }) => valid(compact, printed))
}
