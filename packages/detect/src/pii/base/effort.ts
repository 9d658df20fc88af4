/**
 * How much work a search for personal data may do, so that a text in which every other character begins something takes
 * no longer than a text that is full of values. Promises limits that no list, log or table reaches. Tested in
 * effort.test.ts.
 */
import type { Budget } from '../../text/view/budget.ts'

/** Cost of readings, in tenths of a microsecond, as measured on texts that ask for one over and over. */
export const cost = {
  /** A word with a digit, or a mark such as `@`, with all recognizers that begin there. */
  word: 1,
  /** A number after a plus sign. */
  telephone: 12,
  /** A printed form that ends at a place. */
  layout: 4,
  /** An identifier of that form, where words near it can name one. */
  identifier: 1,
  /** A house number. */
  number: 1,
  /** A word beside a house number, and eight characters of one. */
  streetWord: 1,
  /** The signs before a house number, where they can be an address of East Asia. */
  eastAsianStreet: 10,
  /** A part of an address after the street, found or not. */
  place: 7,
  /** A word of a run of capitalized words. */
  capital: 2,
  /** A word of a run that a name may begin with. */
  name: 2,
  /** Reading the label before a name. */
  label: 8,
  /** A sign that a name of East Asia may begin with. */
  eastAsianName: 2,
  /** A word in a script without capitals. */
  caseless: 6,
  /** Sorting, hiding and restoring a finding. */
  finding: 8,
} as const

/** For 1 MB; a shorter text may take as much, a longer one more in proportion. */
const most = 2_000_000
const perCharacter = 2

/** The work that may be done for a text of a length. */
export const effortFor = (length: number): Budget => ({ left: Math.max(most, length * perCharacter) })

const boundless = 0x3fff_ffff

/** More than any text needs. */
export const unlimited = (): Budget => ({ left: boundless })

/** Work spent out of an unlimited effort. */
export const taken = ({ left }: Budget): number => boundless - left
