/**
 * The few places of a text where a placeholder can begin: near a number with a separator before it.
 * Promises to leave out no such place and to read a text once, so that a million brackets cost no more than a million
 * letters; does not read placeholders. Tested in anchors.test.ts.
 */
import { isAlphanumeric } from '../base/matcher.ts'
import { marks, separators } from './reading.ts'

export interface Anchors {
  /** The first place from `at` on where a placeholder can begin; calls ask for places in rising order. */
  next(at: number): number
}

/** Longer than any reading: closer to the end of the text every place counts, because more may follow. */
const tail = 128
/** Longer than any name, escapes included. */
const longestName = 48
/** Four quotes or blanks, each of which JSON may escape. */
const longestMarks = 8

/** Roles of a character in a name or before one, as bits. */
const part = { name: 1, lead: 2 } as const
// No mark stands beyond.
const partOf = new Uint8Array(0x2100)
for (let code = 0; code < 128; code += 1) if (isAlphanumeric(code)) partOf[code] = part.name
for (const char of [...separators, '_', '\\']) add(char, part.name)
for (const char of [...marks, '\\']) add(char, part.lead)

function add(char: string, bit: number): void {
  const code = char.charCodeAt(0)
  partOf[code] = (partOf[code] ?? 0) | bit
}

/** An underscore or what stands for it, and a digit: no placeholder is without. */
const number = /[_ \u00a0-][0-9]/g

/** First place of a number at or after `at`, -1 when there is none. */
export function numberAfter(text: string, at: number): number {
  number.lastIndex = at
  return number.test(text) ? number.lastIndex - 1 : -1
}

/** Anchors of a text for brackets that open with at most `longestOpen` characters; of a `whole` text nothing follows. */
export function anchorsOf(text: string, longestOpen: number, isWhole = false): Anchors {
  const last = isWhole ? text.length : text.length - tail
  let from = 0
  let to = -1
  return {
    next: (at) => {
      while (to <= at && to < last) {
        const hit = numberAfter(text, Math.max(at, to))
        to = hit < 0 ? text.length : hit
        from = hit < 0 ? last : zoneStart(text, to) - longestOpen
      }
      return Math.max(at, Math.min(from, last))
    },
  }
}

/** Where the name and the marks before it begin at the earliest, going back from its number. */
function zoneStart(text: string, number: number): number {
  return goBack(text, goBack(text, number, part.name), part.lead)
}

function goBack(text: string, from: number, bit: number): number {
  const floor = Math.max(0, from - (bit === part.name ? longestName : longestMarks))
  let at = from
  while (at > floor && ((partOf[text.charCodeAt(at - 1)] ?? 0) & bit) !== 0) at -= 1
  return at
}
