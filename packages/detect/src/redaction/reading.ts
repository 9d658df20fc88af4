/**
 * Reads one placeholder at a place, in every form in which models write it back: other brackets, other case, spaces,
 * quotes or emphasis inside, a possessive ending, another separator or none of the brackets.
 * Promises to read at most 64 characters (96 in JSON) and to say when more text could change the answer.
 * Tested in restore.test.ts and redact.test.ts.
 */
import { isAlphanumeric, isDigit } from '../base/matcher.ts'
import type { Forms } from './forms.ts'
import type { BracketPair } from './placeholder.ts'

export interface Reading {
  /** Upper case, with underscores: `EMAIL_1`. */
  readonly name: string
  /** A possessive ending that stood inside the brackets. */
  readonly suffix: string
  readonly end: number
  readonly exact: boolean
}

/** `open`: the text so far may still become a placeholder. */
export type Outcome = 'none' | 'open' | Reading

export interface Grammar {
  readonly forms: Forms
  readonly json: boolean
  /** Whether a name could begin like this, asked at the end of each word of it; ends readings that lead nowhere. */
  readonly mayBegin: (prefix: string) => boolean
}

/** Stands for the end of a text: with it no reading stays open. */
export const terminator = '\0'.repeat(16)

/** No name of a vault is longer. */
export const longestName = 40
const mostMarks = 4
/** Characters allowed between brackets and a name. */
export const marks = ' \u00a0"\'`*_~\u201c\u201d\u201e\u2018\u2019'
/** Characters allowed in place of an underscore. */
export const separators = ' \u00a0-'
// Two backslashes and an underscore.
const longestSeparator = 3

const none: readonly BracketPair[] = []

/** The placeholder that begins at `at`, in brackets of any pair or as a bare word. */
export function readAt(text: string, at: number, grammar: Grammar): Outcome {
  // No bracket is a letter, and most places are capitals inside a word.
  if (isCapital(text.charCodeAt(at))) return readBare(text, at, grammar)
  let isOpen = false
  for (const pair of grammar.forms.pairs.get(text.charAt(at)) ?? none) {
    const outcome = readBracketed(text, at, { pair, grammar })
    if (typeof outcome === 'object') return isOpen ? 'open' : outcome
    isOpen ||= outcome === 'open'
  }
  return isOpen ? 'open' : readBare(text, at, grammar)
}

function readBracketed(text: string, at: number, { pair, grammar }: { pair: BracketPair; grammar: Grammar }): Outcome {
  const opened = literalAt(text, at, pair.open)
  if (opened !== 'whole') return opened === 'cut' ? 'open' : 'none'
  const from = at + pair.open.length
  const isStrict = hasMark(pair)
  const start = isStrict ? from : afterMarks(text, from, grammar)
  if (start >= text.length || start === -1) return 'open'
  if (!isLetter(text.charCodeAt(start))) return 'none'
  // Own brackets made of marks are a placeholder inside typed brackets, not emphasis that a model added.
  const { own } = grammar.forms
  if (!pair.exact && own !== undefined && start > from && text.slice(from, start).includes(own.open)) return 'none'
  const named = readName(text, start, { grammar, isStrict })
  if (typeof named === 'string') return named
  const { name, end } = named
  const closed = literalAt(text, end, pair.close)
  if (closed === 'whole') return bracketed(name, '', end, pair)
  if (closed === 'cut' || end + longestSeparator > text.length) return 'open'
  if (isStrict) return 'none'
  const suffix = /^['\u2019][sS](?![A-Za-z0-9])/.exec(text.slice(end, end + 3))?.[0] ?? ''
  const closing = afterMarks(text, end + suffix.length, grammar)
  if (closing === -1) return 'open'
  const late = literalAt(text, closing, pair.close)
  return late === 'whole' ? bracketed(name, suffix, closing, pair) : late === 'cut' ? 'open' : 'none'
}

const bracketed = (name: string, suffix: string, closing: number, { close, exact }: BracketPair): Reading => ({
  name,
  suffix,
  end: closing + close.length,
  exact,
})

/** Brackets of the caller that are marks themselves leave no room for more. */
const hasMark = ({ open, close, exact }: BracketPair): boolean =>
  exact && [...open, ...close].some((char) => char === '\\' || marks.includes(char) || separators.includes(char))

/** A name without brackets, as a whole word in capitals. */
function readBare(text: string, at: number, grammar: Grammar): Outcome {
  if (!isCapital(text.charCodeAt(at)) || isInsideWord(text, at, grammar.json) || !mayEndInNumber(text, at))
    return 'none'
  const named = readName(text, at, { grammar, isStrict: true })
  if (typeof named === 'string') return named
  if (isWordUnit(text.charCodeAt(named.end)) || /[a-z]/.test(text.slice(at, named.end))) return 'none'
  return { name: named.name, suffix: '', end: named.end, exact: false }
}

/** Whether a word ends in a digit, underscores aside; true as long as its end has not been seen. */
function mayEndInNumber(text: string, at: number): boolean {
  let end = at
  while (end - at < longestName && isName(text.charCodeAt(end))) end += 1
  if (end === text.length || end - at === longestName) return true
  while (text.charCodeAt(end - 1) === 95) end -= 1
  return isDigit(text.charCodeAt(end - 1))
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90
const isLetter = (code: number): boolean => isAlphanumeric(code) && !isDigit(code)
const isName = (code: number): boolean => isAlphanumeric(code) || code === 95

type Named = { readonly name: string; readonly end: number } | 'none' | 'open'

interface NameRules {
  readonly grammar: Grammar
  /** Underscores only; else also a blank, a hyphen, or an underscore that Markdown escapes. */
  readonly isStrict: boolean
}

function readName(text: string, from: number, { grammar, isStrict }: NameRules): Named {
  let name = ''
  let at = from
  while (at - from < longestName) {
    if (at >= text.length) return 'open'
    const end = wordEnd(text, at, from + longestName)
    if (end > at) {
      name += text.slice(at, end).toUpperCase()
      at = end
      // A beginning of a possible beginning of a name may begin one too: once a word is enough.
      if (!grammar.mayBegin(name)) return 'none'
      continue
    }
    const isPlain = text.charCodeAt(at) === 95
    const separator = isPlain || isStrict ? 0 : separatorLength(text, at, grammar.json)
    if (separator === -1) return 'open'
    if (!isPlain && separator === 0) break
    name += '_'
    at += isPlain ? 1 : separator
  }
  const trimmed = name.endsWith('_') ? name.replace(/_{1,4}$/, '') : name
  return trimmed === '' ? 'none' : { name: trimmed, end: at }
}

function wordEnd(text: string, from: number, limit: number): number {
  let end = from
  while (end < limit && isAlphanumeric(text.charCodeAt(end))) end += 1
  return end
}

/** Length of the underscore or its stand-in at `at`, 0 when there is none, -1 when that is not yet known. */
function separatorLength(text: string, at: number, json: boolean): number {
  if (separators.includes(text.charAt(at))) {
    if (at + 1 >= text.length) return -1
    return isAlphanumeric(text.charCodeAt(at + 1)) ? 1 : 0
  }
  const escaped = json ? '\\\\_' : '\\_'
  const state = literalAt(text, at, escaped)
  return state === 'whole' ? escaped.length : state === 'cut' ? -1 : 0
}

/** First place from `from` on without a quote, emphasis or blank; -1 when that is not yet known. */
function afterMarks(text: string, from: number, { json }: Grammar): number {
  let at = from
  for (let count = 0; count < mostMarks; count += 1) {
    if (at >= text.length) return -1
    const char = text.charAt(at)
    if (json && char === '\\') {
      if (at + 1 >= text.length) return -1
      if (text.charAt(at + 1) !== '"') break
      at += 2
    } else if (marks.includes(char) && !(json && char === '"')) at += 1
    else break
  }
  return at
}

/** Scripts without blanks between words do not count: a name may stand between Chinese characters. */
const isWordUnit = (code: number): boolean => isAlphanumeric(code) || code === 95 || (code >= 0xc0 && code < 0x590)

/** Characters before a place that decide whether a word goes on over it. */
export const wordContext = 6

/** In JSON the letter of an escape such as `\n` is no part of a word. */
function isInsideWord(text: string, at: number, json: boolean): boolean {
  if (at === 0 || !isWordUnit(text.charCodeAt(at - 1))) return false
  if (!json || (text[at - 2] !== '\\' && text[at - 6] !== '\\')) return true
  return !/\\(?:[nrtbf]|u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, at - wordContext), at))
}

/** Whether a literal stands at a place, wholly or as far as the text goes. */
export function literalAt(text: string, at: number, literal: string): 'whole' | 'cut' | 'none' {
  if (text.startsWith(literal, at)) return 'whole'
  if (at + literal.length <= text.length) return 'none'
  const rest = text.slice(at, at + literal.length)
  return at + rest.length === text.length && literal.startsWith(rest) ? 'cut' : 'none'
}
