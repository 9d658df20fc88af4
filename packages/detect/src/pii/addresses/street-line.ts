/**
 * The words beside a house number, with the properties that a street grammar needs.
 * Promises to read at most 72 characters on either side, and a word only once however many numbers stand near it.
 * Tested in addresses.test.ts.
 */
import { type Budget, spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { isUpper, isWhite, startsUpper } from '../base/letters.ts'
import { fold } from '../names/fold.ts'
import { mayHaveStreetRole, type StreetRole, streetRolesOf } from './street-words.ts'

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

/** A word of a line; its properties are computed when a grammar first needs them. */
export class Word implements Span {
  readonly start: number
  readonly end: number
  readonly closes: boolean
  readonly raw: string
  readonly #written: string
  #key: string | undefined
  #roles = -1
  #isName: boolean | undefined
  #isUpper: boolean | undefined

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

  /** Whether the word is in one of the lists of street words. */
  is(role: StreetRole): boolean {
    if (this.#roles < 0) this.#roles = mayHaveStreetRole(this.#written.charCodeAt(0)) ? streetRolesOf(this.key) : 0
    return (this.#roles & role) !== 0
  }

  /** Capitalized, an ordinal, or an elided article before a capital. */
  get isName(): boolean {
    this.#isName ??= looksLikeName(this.raw)
    return this.#isName
  }

  get isUpper(): boolean {
    this.#isUpper ??= startsUpper(this.raw)
    return this.#isUpper
  }
}

const withoutStop = (word: string): string => (word.endsWith('.') ? word.slice(0, -1) : word)

const nameShape = /^\p{Lu}|^\d{1,3}(?:st|nd|rd|th|er|[ºª.])?$|^['’]?[dl]['’]\p{Lu}/u

function looksLikeName(raw: string): boolean {
  const first = raw.charCodeAt(0)
  if (first >= 65 && first <= 90) return true
  if (raw.length === 1) return (first >= 48 && first <= 57) || isUpper(first)
  // Of other ASCII words only numbers and elided articles can be names.
  if (first < 128 && !(first >= 48 && first <= 57) && first !== 39 && first !== 100 && first !== 108) return false
  return nameShape.test(raw)
}

/** Farthest that a street line reaches from its number, in UTF-16 units. */
export const reach = 72

const longestWord = 24

// Blanks and `,;()"<>|`; nothing stands after the end of a text.
const endsWord = new Set([...',;()"<>|'].map((char) => char.charCodeAt(0)))
const isWordEnd = (code: number): boolean => Number.isNaN(code) || isWhite(code) || (code < 128 && endsWord.has(code))

/** More than a line's words on both sides of a number: places that far apart are asked for again. */
const slots = 256

/** The words of a text by where they begin or end; one for all house numbers of the text. */
export class Words {
  readonly text: string
  readonly #effort: Budget
  #line = 0
  #seen = 0
  // A stretch without a word's edge.
  #plainFrom = 0
  #plainTo = 0
  readonly #from: (Word | undefined)[] = []
  readonly #to: (Word | undefined)[] = []

  constructor(text: string, effort: Budget) {
    this.text = text
    this.#effort = effort
  }

  /** Where the line of a place begins, or as much of it as is looked at; places are asked for in rising order. */
  lineStart(at: number): number {
    const floor = Math.max(0, at - reach)
    for (let place = Math.max(this.#seen, floor); place < at; place += 1) {
      if (this.text.charCodeAt(place) === 10) this.#line = place + 1
    }
    this.#seen = at
    return Math.max(floor, this.#line)
  }

  /** Start of the word that ends at a place, at least `floor`; text already read for the number before is skipped. */
  startOf(end: number, floor: number): number {
    let start = end
    while (start > floor && !isEdge(this.text.charCodeAt(start - 1))) {
      start -= 1
      if (start > this.#plainFrom && start <= this.#plainTo) start = Math.max(floor, this.#plainFrom)
    }
    this.#plainFrom = start
    this.#plainTo = end
    return start
  }

  /** The word that begins at a place, at most 24 characters of it. */
  from(start: number): Word | undefined {
    if (!spend(this.#effort, cost.streetWord)) return undefined
    const slot = start % slots
    const known = this.#from[slot]
    if (known?.start === start) return known
    const { text } = this
    let end = start
    while (end < start + longestWord && !isWordEnd(text.charCodeAt(end))) end += 1
    if (end === start) return undefined
    const word = new Word({ start, end, closes: text.charCodeAt(end) !== 32 }, text.slice(start, end))
    this.#from[slot] = word
    return word
  }

  /** The word between two places; every word but one that the reach cuts is read once. */
  to(start: number, end: number): Word | undefined {
    if (!spend(this.#effort, cost.streetWord * (1 + ((end - start) >> 3)))) return undefined
    const slot = end % slots
    const known = this.#to[slot]
    if (known?.end === end && known.start === start) return known
    const written = this.text.slice(start, end)
    const raw = isQuote(written.charCodeAt(0)) ? written.slice(1) : written
    const word = new Word({ start, end, closes: false }, raw, written)
    this.#to[slot] = word
    return word
  }
}

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 0x201e || code === 0x201c

/** Most words after a number that are looked at. */
const mostAfter = 7

/** Words after the number, up to a comma or a line end; read one by one as a grammar asks. */
export class WordsAfter {
  readonly #all: Words
  readonly #from: number
  readonly #words: Word[] = []
  #at: number

  constructor(all: Words, from: number) {
    this.#all = all
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
    const word = this.#all.from(at + 1)
    if (word === undefined) return false
    this.#words.push(word)
    this.#at = word.end
    return true
  }

  /** A blank or, before the first word, a line end. */
  #isGap(at: number): boolean {
    const code = this.#all.text.charCodeAt(at)
    return code === 32 || (code === 10 && at === this.#from)
  }
}

/** At most this many words before a number are looked at. */
const mostWords = 8

/** Words before the number, nearest first, up to a comma; read one by one as a grammar asks. */
export class WordsBefore {
  readonly #all: Words
  readonly #floor: number
  readonly #words: Word[] = []
  #end: number

  /** Words of the line that begins at `floor`, from `end` backward. */
  constructor(all: Words, floor: number, end: number) {
    this.#all = all
    this.#floor = floor
    this.#end = end
  }

  at(index: number): Word | undefined {
    while (this.#words.length <= index && this.#words.length < mostWords && this.#end >= this.#floor) this.#readOne()
    return this.#words[index]
  }

  #readOne(): void {
    const { text } = this.#all
    const end = this.#end
    const start = this.#all.startOf(end, this.#floor)
    this.#end = start > this.#floor && isGap(text.charCodeAt(start - 1)) ? start - 1 : -1
    const word = start < end ? this.#all.to(start, end) : undefined
    if (word !== undefined) this.#words.push(word)
  }
}

const isGap = (code: number): boolean => code === 32 || code === 0xa0
const isEdge = (code: number): boolean => isGap(code) || code === 44 || code === 59 || code === 40
