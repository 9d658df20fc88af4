/**
 * The few places of a text where a placeholder can begin: near a number with a separator before it.
 * Promises to leave out no such place and to read a text once, so that a million brackets cost no more than a million
 * letters; does not read placeholders. Tested in anchors.test.ts.
 */
import { isAlphanumeric } from '../matcher.ts'
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

const nameMarks = new Set([...separators, '_', '\\'].map((char) => char.charCodeAt(0)))
const leadMarks = new Set([...marks, '\\'].map((char) => char.charCodeAt(0)))

const isNameUnit = (code: number): boolean => isAlphanumeric(code) || nameMarks.has(code)
const isLeadUnit = (code: number): boolean => leadMarks.has(code)

/** Anchors of a text for brackets that open with at most `longestOpen` characters. */
export function anchorsOf(text: string, longestOpen: number): Anchors {
  const number = /[_ \u00a0-][0-9]/g
  const last = text.length - tail
  let from = 0
  let to = -1
  return {
    next: (at) => {
      while (to <= at && to < last) {
        number.lastIndex = Math.max(at, to)
        const hit = number.exec(text)
        to = hit ? hit.index + 1 : text.length
        from = hit ? zoneStart(text, to) - longestOpen : last
      }
      return Math.max(at, Math.min(from, last))
    },
  }
}

/** Where the name and the marks before it begin at the earliest, going back from its number. */
function zoneStart(text: string, number: number): number {
  const name = goBack(text, number, { over: isNameUnit, most: longestName })
  return goBack(text, name, { over: isLeadUnit, most: longestMarks })
}

function goBack(text: string, from: number, { over, most }: { over: (code: number) => boolean; most: number }): number {
  let at = from
  while (at > 0 && from - at < most && over(text.charCodeAt(at - 1))) at -= 1
  return at
}
