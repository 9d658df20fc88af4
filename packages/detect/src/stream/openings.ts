/**
 * Where in a stream a value may still be open, for values that begin only at words with a mark: a digit, an `@`, a
 * run of capitals and the like (`Matcher.marked`).
 * Promises that no such value begins before the place it tells and is still undecided, whatever follows; knows only how
 * words look, not what a value is. Tested in openings.test.ts and, against the finders, in inspect.test.ts.
 */
import { lookAhead } from '../base/matcher.ts'
import { digitValue } from '../pii/base/characters.ts'
import { classOf, isClosedWord, isSpelledAt, longestRead, passageOf } from './words.ts'

/** Longest value that may hold blanks or quotes, in UTF-16 units: an address has 160, a URL with a password 188. */
export const longestPhrase = 192

export interface Openings {
  /** Takes the next UTF-16 code unit; returns the earliest position at which a value may be open. */
  step(code: number): number
}

/** Characters between two blanks. */
interface Run {
  readonly start: number
  readonly end: number
  /** Whether a letter of a script with words of one character stands in it. */
  readonly isWide: boolean
  readonly endsInDigit: boolean
  /** Whether a number after it changes nothing. */
  readonly isClosed: boolean
  /** Whether only what follows directly may make it more than a word. */
  readonly isPlain: boolean
  /** How much text must have been seen to decide what begins in the run. */
  settled: number
  /** Whether its values may go on over the following words. */
  isOpen: boolean
  /** The run that follows; a chain, because a list whose head goes with every word is made anew all the time. */
  next: Run | undefined
}

/** Text after a word that still decides its type: six characters of a number, or a wrapper of a value. */
const wordLag = 8
const phraseLag = longestPhrase + lookAhead
/** More than the words in so many characters. */
const mostOpen = 256

/** Blanks that no value without blanks goes over, for any recognizer. */
const isBetween = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x2028 || code === 0x3000

const isWide = (code: number): boolean => code >= 0x2e80

/** A tracker; `opening` is a character at which a value of another kind may begin, such as a typed placeholder. */
export function createOpenings(opening = ''): Openings {
  return new Tracker(opening)
}

class Tracker implements Openings {
  readonly #opening: string
  #seen = 0
  /** The first that is finished and not settled. */
  #first: Run | undefined
  /** The last of those behind it. */
  #newest: Run | undefined
  /** All of them that are open, and some that no longer are. */
  #open: Run[] = []
  #last: Run | undefined
  #lineEnded = false
  /** Whether the last word was plain and let values pass. */
  #wasPassed = false
  #isFirst = true
  #start = -1
  /** The current run as far as it matters. */
  #word = ''
  #hasDigit = false
  #isWide = false
  #endsInDigit = false

  constructor(opening: string) {
    this.#opening = opening
  }

  step(code: number): number {
    const at = this.#seen
    this.#seen += 1
    if (!isBetween(code)) this.#grow(at, code)
    else {
      if (this.#start >= 0) this.#finish(at)
      this.#lineEnded ||= code < 32
    }
    while (this.#first && this.#first.settled <= this.#seen) this.#first = this.#first.next
    return this.#first?.start ?? (this.#start < 0 ? this.#seen : this.#start)
  }

  #grow(at: number, code: number): void {
    if (this.#start < 0) this.#begin(at, code)
    this.#isWide ||= isWide(code)
    this.#endsInDigit = digitValue(code) >= 0
    if (this.#word.length <= longestRead) this.#word += String.fromCharCode(code)
    if (this.#hasDigit || digitValue(code) < 0) return
    this.#hasDigit = true
    // `March 5`, `AB 123`: only a word directly before a number can begin a value with it.
    if (this.#last && !this.#last.isClosed) this.#reopen(this.#last)
  }

  #begin(at: number, code: number): void {
    this.#start = at
    this.#word = ''
    this.#hasDigit = false
    this.#isWide = false
    // Over a line end go only dates in signs, `1985年` and `3月`, and groups of digits.
    const isNumber = this.#last?.endsInDigit === true && digitValue(code) >= 0
    if (this.#lineEnded && this.#last && !isNumber && !this.#last.isWide && !isWide(code)) {
      this.#breakAt(this.#last.end)
      this.#last = undefined
    }
    this.#lineEnded = false
  }

  #finish(end: number): void {
    const word = this.#word
    const kind = this.#opening !== '' && word.includes(this.#opening) ? 'held' : classOf(word)
    if (isSpelledAt(word) && this.#last) this.#keep(this.#last)
    if (kind === 'plain') this.#pass(word)
    else this.#wasPassed = false
    const isShut = kind === 'plain' && isClosedWord(word, this.#isFirst)
    this.#isFirst = false
    const lag = kind !== 'plain' ? phraseLag : isShut ? 1 : wordLag
    const isClosed = isShut || kind === 'held'
    if (kind === 'plain') this.#release()
    const settled = end + lag
    const run: Run = {
      start: this.#start,
      end,
      isWide: this.#isWide,
      endsInDigit: this.#endsInDigit,
      isClosed,
      isPlain: kind === 'plain',
      settled,
      isOpen: false,
      next: undefined,
    }
    if (this.#first && this.#newest) this.#newest.next = run
    else this.#first = run
    this.#newest = run
    if (kind === 'marked') this.#hold(run)
    this.#last = run
    this.#start = -1
  }

  /** Settles the word before a plain one, which is no number and no wrapper. */
  #release(): void {
    if (this.#last?.isPlain) this.#last.settled = Math.min(this.#last.settled, this.#seen)
  }

  /** Ends the values that cannot go on over a plain word. */
  #pass(word: string): void {
    if (this.#open.length === 0) return
    const passage = passageOf(word)
    if (passage === 'never' || (passage === 'once' && this.#wasPassed)) this.#breakAt(this.#last?.end ?? 0)
    this.#wasPassed = passage === 'once'
  }

  #breakAt(end: number): void {
    if (this.#open.length === 0) return
    for (const run of this.#open) {
      if (run.isOpen) run.settled = Math.min(run.settled, end + lookAhead)
      run.isOpen = false
    }
    this.#open = []
  }

  #reopen(run: Run): void {
    if (run.isOpen) return
    run.settled = run.end + phraseLag
    this.#hold(run)
  }

  #hold(run: Run): void {
    run.isOpen = true
    this.#open.push(run)
    // A text of numbers alone never ends what is open; all but the last is settled by its distance.
    if (this.#open.length > mostOpen) this.#open = this.#open.filter(({ settled }) => settled > this.#seen)
  }

  /** Holds a run whatever follows. */
  #keep(run: Run): void {
    run.settled = run.end + phraseLag
    run.isOpen = false
  }
}
