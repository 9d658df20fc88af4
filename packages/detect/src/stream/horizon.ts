/**
 * How much of a stream is settled: no value that begins before the horizon can still appear, grow or vanish.
 * Promises the same horizon for every chunking, because it reads only the characters seen so far; it does not look for
 * values itself. Tested through inspect.test.ts.
 */
import { isAlphanumeric, lookAhead } from '../base/matcher.ts'
import { createArmor, createKeyLines } from './armor.ts'
import { longestPhrase, type Openings } from './openings.ts'

/** No value at all is longer: a PEM block of an RSA 8,192 key has 6,400 characters, a JWT at most 7,500. */
export const longestValue = 8_192

/** Text behind the newest character that is never settled before the stream ends. */
export const ordinaryLag = longestPhrase + lookAhead
/** The same while a long token or a key block is open. */
export const longestLag = longestValue + lookAhead

export interface Horizon {
  /** Takes the next UTF-16 code unit; returns the position before which every value is settled. */
  step(code: number): number
}

const tokenMarks = new Set([...'+/=_@.-:%~#&?;!$*^\\'].map((char) => char.charCodeAt(0)))

/** Characters of keys, tokens and URLs; a value longer than a phrase goes on only over these, or is a PEM block. */
const isTokenUnit = (code: number): boolean =>
  isAlphanumeric(code) || tokenMarks.has(code) || (code >= 0xc0 && code < 0x590)

/**
 * A token begins as ordinary text. When it has grown to `lookAhead` characters the horizon stands `longestPhrase`
 * before its start, so stopping there until the token is over loses nothing; a value may also begin before the token.
 * With `openings`, for values that begin only at marked words, everything before the first open one is settled as well.
 */
export function createHorizon(openings?: Openings): Horizon {
  const blocks = [createArmor(), createKeyLines()].map((armor) => ({ armor, open: closed }))
  let seen = 0
  let horizon = 0
  let runStart = -1
  let token = closed
  return {
    step: (code) => {
      const at = seen
      seen += 1
      if (!isTokenUnit(code)) runStart = -1
      else if (runStart < 0) runStart = at
      if (runStart >= 0 && seen - runStart > lookAhead) token = { until: seen + lookAhead, start: runStart }
      let blockStart = Number.POSITIVE_INFINITY
      for (const block of blocks) {
        if (block.armor.step(code)) {
          const start = block.open.until > at ? block.open.start : at - block.armor.opening
          block.open = { until: seen + lookAhead, start }
        }
        blockStart = Math.min(blockStart, startOf(block.open, seen))
      }
      const held = Math.min(startOf(token, seen), blockStart) - longestPhrase
      const opened = openings ? Math.min(openings.step(code), blockStart) : 0
      horizon = Math.max(horizon, opened, Math.min(seen - ordinaryLag, held), seen - longestLag)
      return horizon
    },
  }
}

/** Something long that may be part of a value, and the position up to which its end is not certain. */
interface Open {
  readonly until: number
  readonly start: number
}

// The infinity stands second: V8 keeps the kind of a member for all objects that begin alike, and with a fraction at the
// front it converted every span of `start` and `end` in the process, one after the other (1.5 million in a megabyte).
const closed: Open = { until: 0, start: Number.POSITIVE_INFINITY }

const startOf = ({ start, until }: Open, seen: number): number => (seen < until ? start : Number.POSITIVE_INFINITY)
