/**
 * The words beside a house number, with what a street grammar asks about them.
 * Promises to read at most 72 characters on either side. Tested through addresses.test.ts.
 */
import { fold } from '../names/fold.ts'
import { smallWords } from './street-words.ts'

export interface Street {
  readonly start: number
  readonly end: number
  readonly country: string | undefined
  /** Probability that the line alone is an address. */
  readonly score: number
}

interface Span {
  readonly start: number
  readonly end: number
  /** A comma or a line end follows. */
  readonly closes: boolean
}

/** A word of a line; its key is made when a grammar asks for it. */
export class Word implements Span {
  readonly start: number
  readonly end: number
  readonly closes: boolean
  readonly raw: string
  readonly #written: string
  #key: string | undefined

  constructor({ start, end, closes }: Span, raw: string, written = raw) {
    this.start = start
    this.end = end
    this.closes = closes
    this.raw = raw
    this.#written = written
  }

  /** Folded, without the full stop of an abbreviation. */
  get key(): string {
    this.#key ??= withoutStop(fold(this.#written))
    return this.#key
  }
}

const withoutStop = (word: string): string => (word.endsWith('.') ? word.slice(0, -1) : word)

/** Farthest that a street line reaches from its number, in UTF-16 units. */
export const reach = 72

const wordPattern = /[^\s,;()"<>|\n\u00a0]{1,24}/y

/** Most words after a number that are looked at. */
const mostAfter = 7

/** Words after the number, up to a comma or a line end; read one by one as a grammar asks. */
export class WordsAfter {
  readonly #text: string
  readonly #from: number
  readonly #words: Word[] = []
  #at: number

  constructor(text: string, from: number) {
    this.#text = text
    this.#from = from
    this.#at = from
  }

  at(index: number): Word | undefined {
    while (this.#words.length <= index && this.#readOne()) {}
    return this.#words[index]
  }

  #readOne(): boolean {
    const at = this.#at
    if (this.#words.length === mostAfter || at >= this.#from + reach || !this.#isGap(at)) return false
    wordPattern.lastIndex = at + 1
    const raw = wordPattern.exec(this.#text)?.[0]
    if (raw === undefined) return false
    const end = at + 1 + raw.length
    this.#words.push(new Word({ start: at + 1, end, closes: this.#text[end] !== ' ' }, raw))
    this.#at = end
    return true
  }

  /** A blank or, before the first word, a line end. */
  #isGap(at: number): boolean {
    const code = this.#text.charCodeAt(at)
    return code === 32 || (code === 10 && at === this.#from)
  }
}

/** At most this many words before a number are looked at. */
const mostWords = 8

/** Words before the number, nearest first, up to a comma; read one by one as a grammar asks. */
export class WordsBefore {
  readonly #line: string
  readonly #offset: number
  readonly #words: Word[] = []
  #end: number

  constructor(line: string, offset: number) {
    this.#line = line
    this.#offset = offset
    this.#end = line.length
  }

  at(index: number): Word | undefined {
    while (this.#words.length <= index && this.#words.length < mostWords && this.#end >= 0) this.#readOne()
    return this.#words[index]
  }

  #readOne(): void {
    const end = this.#end
    let start = end
    while (start > 0 && !isEdge(this.#line.charCodeAt(start - 1))) start -= 1
    this.#end = start > 0 && isGap(this.#line.charCodeAt(start - 1)) ? start - 1 : -1
    if (start === end) return
    const written = this.#line.slice(start, end)
    const raw = isQuote(written.charCodeAt(0)) ? written.slice(1) : written
    this.#words.push(new Word({ start: start + this.#offset, end: end + this.#offset, closes: false }, raw, written))
  }
}

const isGap = (code: number): boolean => code === 32 || code === 0xa0
const isEdge = (code: number): boolean => isGap(code) || code === 44 || code === 59 || code === 40
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 0x201e || code === 0x201c

const capital = /^\p{Lu}|^\d{1,3}(?:st|nd|rd|th|er|[ºª.])?$|^['’]?[dl]['’]\p{Lu}/u

/** Capitalized, an ordinal, or an elided article before a capital. */
export function isNameWord({ raw }: Word): boolean {
  const first = raw.charCodeAt(0)
  if (first >= 65 && first <= 90) return true
  if (raw.length === 1) return (first >= 48 && first <= 57) || capital.test(raw)
  // Of other ASCII words only numbers and elided articles can be names.
  if (first < 128 && !(first >= 48 && first <= 57) && first !== 39 && first !== 100 && first !== 108) return false
  return capital.test(raw)
}

/** An article or preposition inside a street name. */
export const isSmall = ({ key }: Word): boolean => smallWords.has(key)
