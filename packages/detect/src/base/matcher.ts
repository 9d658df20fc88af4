import type { Budget } from '../text/view/budget.ts'
import type { Finding } from './finding.ts'

/**
 * Finds one kind of value. A matcher's report at a position depends only on the 128 characters before it, the
 * match itself and the 48 characters after it: never on where the search began or on earlier matches. The streams rely
 * on it to give the same answer however a text is cut.
 */
export interface Matcher {
  readonly types: readonly string[]
  /**
   * Its values hold no line of ordinary words: each begins at a word with a digit, a mark or a run of capitals, directly
   * before such a word, or is a single word without blanks. None begins at a word of a sentence (pii/opening-words.ts)
   * and goes on behind it. Streams then let ordinary text go at once.
   */
  readonly marked?: boolean
  /**
   * Adds the matches whose trigger lies at or after `from`; they may overlap. Where each costs much, work is taken from
   * `effort`, and the search ends early when that is spent.
   */
  collect(text: string, from: number, found: Finding[], effort?: Budget): void
}

/** Characters before a match that a matcher may look at. */
export const lookBehind = 128

/** Characters after a match that a matcher may look at. */
export const lookAhead = 48

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const isAlphanumeric = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Digits, letters and underscore: the neighbors that make a match part of a longer word. */
export const isWord = (code: number): boolean => isAlphanumeric(code) || code === 95
