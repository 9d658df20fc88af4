/**
 * Words written with a capital, in scripts that have capitals, and the runs they form.
 * Promises to read at most 96 characters of one run; does not judge. Tested through names.test.ts.
 */
import { isAlphanumeric, isDigit } from '../../base/matcher.ts'
import { firstOf } from '../base/letters.ts'
import { fold } from './fold.ts'
import { isParticle, role, rolesOf } from './lexicon.ts'

export interface Token {
  readonly start: number
  readonly end: number
  /** Bits of `role`. */
  readonly roles: number
  readonly form: 'capital' | 'upper' | 'initial' | 'particle'
  readonly key: string
}

/** Longest stretch of text that one run covers, in UTF-16 units. */
export const longestRun = 96
const longestWord = 32

const isUpperUnit = (code: number): boolean =>
  (code >= 65 && code <= 90) ||
  (code >= 0xc0 && code <= 0xde && code !== 0xd7) ||
  (code >= 0x100 && code < 0x590 && isUpperBeyondLatin1(code)) ||
  (code >= 0x1e00 && code < 0x1f00 && code % 2 === 0)

function isUpperBeyondLatin1(code: number): boolean {
  if (code >= 0x400 && code <= 0x42f) return true
  if (code >= 0x391 && code <= 0x3ab) return true
  if (code >= 0x430 && code <= 0x45f) return false
  if (code >= 0x3ac && code <= 0x3ce) return false
  const char = String.fromCharCode(code)
  return char.toLowerCase() !== char
}

const isCasedUnit = (code: number): boolean =>
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code < 0x250 && code !== 0xd7 && code !== 0xf7) ||
  (code >= 0x300 && code < 0x36f) ||
  (code >= 0x370 && code < 0x590 && code !== 0x37e && code !== 0x387) ||
  (code >= 0x1e00 && code < 0x2000)

// No cased letter stands beyond; a look-up answers the question for every unit of a text.
const upperUnits = Uint8Array.from({ length: 0x2000 }, (_, code) => Number(isUpperUnit(code)))
const casedUnits = Uint8Array.from({ length: 0x2000 }, (_, code) => Number(isCasedUnit(code)))

export const isUpperCase = (code: number): boolean => code < 0x2000 && upperUnits[code] === 1

export const isCasedLetter = (code: number): boolean => code < 0x2000 && casedUnits[code] === 1

// Every capital and more: exact classes of many ranges are searched for slowly.
const mayBeUpperCase = /[A-Z\u00c0-\u1fff]/g
// A search costs as much as looking at a few dozen units: where letters are dense it is not worth it.
const nearby = 24

/** Where the first capital at or after a place stands; the length of the text when there is none. */
export function nextCapital(text: string, from: number): number {
  for (let at = from; at < text.length; at = firstOf(mayBeUpperCase, text, at)) {
    const near = Math.min(text.length, at + nearby)
    for (; at < near; at += 1) if (isUpperCase(text.charCodeAt(at))) return at
  }
  return text.length
}

const isApostrophe = (code: number): boolean => code === 39 || code === 0x2019
const isBlank = (code: number): boolean => code === 32 || code === 0xa0

/** End of the word at `start`: letters with single inner apostrophes and hyphens, never a possessive `'s`. */
export function wordEnd(text: string, start: number): number {
  let end = start
  const limit = Math.min(text.length, start + longestWord)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (isCasedLetter(code)) end += 1
    else if ((isApostrophe(code) || code === 45) && end > start && continuesWord(text, end)) end += 1
    else break
  }
  return end
}

function continuesWord(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  if (!isCasedLetter(next)) return false
  if (text.charCodeAt(at) === 45) return isUpperCase(next) && isCasedLetter(text.charCodeAt(at - 1))
  const possessive = (next === 115 || next === 83) && !isCasedLetter(text.charCodeAt(at + 2))
  return !possessive && (isUpperCase(next) || at <= 0 || isUpperCase(text.charCodeAt(at - 1)) || isCasedLetter(next))
}

const identifierBefore = new Set([...'@/\\#$_.&+%^~='].map((char) => char.charCodeAt(0)))

/** Properties of a capitalized word, the same wherever it stands; without a form it is an identifier. */
interface Spelling {
  readonly word: string
  readonly form: Token['form'] | undefined
  readonly key: string
  readonly roles: number
}

// Half of the capitalized words of a page are among its first hundred.
const slots = 512

/** The capitalized words of one text: each is classified once for most of the places where it stands. */
export class Capitals {
  readonly text: string
  readonly #spellings: (Spelling | undefined)[] = []

  constructor(text: string) {
    this.text = text
  }

  /** The capitalized word at `start`, or undefined for lower case, identifiers and words that join digits. */
  at(start: number): Token | undefined {
    const { text } = this
    if (!isUpperCase(text.charCodeAt(start)) || isJoined(text, start)) return undefined
    const end = wordEnd(text, start)
    if (end - start >= longestWord || isIdentifierEnd(text, end)) return undefined
    if (end - start === 1) {
      const key = text.slice(start, end)
      return { start, end: text[end] === '.' ? end + 1 : end, roles: 0, form: 'initial', key }
    }
    const { form, key, roles } = this.#spelling(start, end)
    return form && { start, end, form, key, roles }
  }

  #spelling(start: number, end: number): Spelling {
    const { text } = this
    const word = text.slice(start, end)
    const first = (text.charCodeAt(start) << 4) ^ text.charCodeAt(start + 1)
    const slot = ((first << 4) ^ (text.charCodeAt(end - 1) << 2) ^ (end - start)) % slots
    const known = this.#spellings[slot]
    if (known?.word === word) return known
    const form = formOf(word)
    const key = form ? fold(word) : word
    const spelling = { word, form, key, roles: form ? partRoles(key) : 0 }
    this.#spellings[slot] = spelling
    return spelling
  }
}

/** Whether a word goes on an identifier or a number. */
function isJoined(text: string, start: number): boolean {
  if (start === 0) return false
  const before = text.charCodeAt(start - 1)
  const joins = isCasedLetter(before) || isDigit(before) || identifierBefore.has(before)
  return joins && !afterInitial(text, start)
}

/** `J.K. Rowling`: a letter right after the full stop of another initial. */
const afterInitial = (text: string, start: number): boolean =>
  text[start - 1] === '.' && isUpperCase(text.charCodeAt(start - 2)) && !isAlphanumeric(text.charCodeAt(start - 3))

function isIdentifierEnd(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  if (isAlphanumeric(code) || code === 95 || code === 40 || code === 47 || code === 92) return true
  const next = text.charCodeAt(end + 1)
  if (code === 46 || code === 58) return end - 1 > 0 && isCasedLetter(next) && !isUpperCase(next)
  return code === 45 && (isAlphanumeric(next) || isCasedLetter(next))
}

const innerCapital =
  /^(?:Mc|Mac|O['’]|D['’]|De|Di|Da|Du|La|Le|Van|Von|Fitz|Ben|Al|El|St|Lu|An|Jo|Mary|Ann)[A-Z\u00c0-\u00de]/

/** A name has its capitals first, everywhere, or after a known prefix; `JavaScript` is an identifier. */
function formOf(word: string): Token['form'] | undefined {
  const rest = word.slice(1)
  if (rest.toLowerCase() === rest) return 'capital'
  if (word.toUpperCase() === word) return 'upper'
  const parts = word.split(/[-'’]/)
  if (
    parts.length > 1 &&
    parts.every((part) => part.slice(1).toLowerCase() === part.slice(1) || innerCapital.test(part))
  )
    return 'capital'
  return innerCapital.test(word) ? 'capital' : undefined
}

/** Roles of a word; one with a hyphen has those of its parts unless the whole is listed. */
const contraction = /'(?:m|ve|ll|d|re|t|s)$/

function partRoles(key: string): number {
  if (contraction.test(key)) return role.stop
  const whole = rolesOf(key)
  if (whole !== 0 || !/[-']/.test(key)) return whole
  const parts = key.split(/[-']/).filter((part) => part.length > 1)
  let roles = 0
  for (const part of parts) roles |= rolesOf(part)
  const named = (roles & (role.given | role.family)) !== 0
  const ordinary = parts.every((part) => (rolesOf(part) & (role.stop | role.organization)) !== 0)
  return named || !ordinary ? roles & ~(role.stop | role.organization | role.place | role.title | role.abstract) : roles
}

/** Where the next word of a run begins after `end`: one or two blanks, or none after an initial's full stop. */
export function nextStart(text: string, { end, form }: Token): number {
  if (form === 'initial' && text[end - 1] === '.' && isUpperCase(text.charCodeAt(end))) return end
  if (!isBlank(text.charCodeAt(end))) return -1
  return isBlank(text.charCodeAt(end + 1)) ? end + 2 : end + 1
}

/** One to three lower-case particles that lead to another capitalized word (van den Berg). */
export function particlesAt(text: string, start: number): Token[] {
  const found: Token[] = []
  let at = start
  while (found.length < 3) {
    const end = wordEnd(text, at)
    if (end === at || end - at > 5) return []
    const key = fold(text.slice(at, end))
    if (!isParticle(key)) return []
    found.push({ start: at, end, roles: role.particle, form: 'particle', key })
    if (text[end] !== ' ') return []
    at = end + 1
    if (isUpperCase(text.charCodeAt(at))) return found
  }
  return []
}

/** The run of capitalized words and particles that begins with `first`, at most `longestRun` characters. */
export function runFrom(capitals: Capitals, first: Token): Token[] {
  const { text } = capitals
  const run = [first]
  for (let last: Token = first; run.length < 12; ) {
    const at = nextStart(text, last)
    if (at < 0) break
    const between = isUpperCase(text.charCodeAt(at)) ? [] : particlesAt(text, at)
    const next = capitals.at((between.at(-1)?.end ?? at - 1) + 1)
    if (!next || next.end - first.start > longestRun) break
    run.push(...between, next)
    last = next
  }
  return run
}
