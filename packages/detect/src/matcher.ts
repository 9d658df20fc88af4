import type { Finding } from './finding.ts'

/**
 * Finds one kind of value. What a matcher reports at a position depends only on the 128 characters before it and on
 * the match itself plus one character: never on where the search began or on earlier matches. The streams rely on it
 * to give the same answer however a text is cut.
 */
export interface Matcher {
  readonly types: readonly string[]
  /** Adds the matches whose trigger lies at or after `from`; they may overlap. */
  collect(text: string, from: number, found: Finding[]): void
}

/** Characters before a match that a matcher may look at. */
export const lookBehind = 128

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const isAlphanumeric = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Digits, letters and underscore: the neighbors that make a match part of a longer word. */
export const isWord = (code: number): boolean => isAlphanumeric(code) || code === 95
