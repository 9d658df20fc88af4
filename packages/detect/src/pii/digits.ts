import { isDigit } from '../matcher.ts'

export interface DigitRun {
  readonly digits: string
  /** Lengths of the unbroken digit groups. */
  readonly groups: readonly number[]
  readonly end: number
}

const isBlank = (code: number): boolean => code === 32 || code === 0xa0 || code === 0x202f

/** Whether the character may stand between digit groups: blank, dash, and for telephone numbers also `. / ( )`. */
export function isSeparator(code: number, wide: boolean): boolean {
  if (isBlank(code) || code === 45 || code === 0x2011 || code === 0x2013) return true
  return wide && (code === 46 || code === 47 || code === 40 || code === 41)
}

export interface DigitGroups {
  readonly digits: string
  readonly groups: readonly { readonly length: number; readonly end: number }[]
}

/**
 * The digit groups that begin at `from`, at most `maxDigits` digits (a group that would exceed them is left out).
 * Groups are one separator apart, or with `wide` up to three of which no two are neighboring blanks.
 */
export function digitGroups(
  text: string,
  from: number,
  { maxDigits, wide }: { maxDigits: number; wide: boolean },
): DigitGroups {
  const groups: { length: number; end: number }[] = []
  let count = 0
  let digits = ''
  for (let at = from; at >= 0; ) {
    const begin = at
    while (isDigit(text.charCodeAt(at)) && at - begin + count <= maxDigits) at += 1
    count += at - begin
    if (count > maxDigits || at === begin) break
    digits += text.slice(begin, at)
    groups.push({ length: at - begin, end: at })
    at = nextGroup(text, at, wide)
  }
  return { digits, groups }
}

/** The number made of the first `count` groups. */
export function firstGroups({ digits, groups }: DigitGroups, count: number): DigitRun | undefined {
  const taken = groups.slice(0, count)
  const last = taken.at(-1)
  if (!last) return undefined
  const lengths = taken.map(({ length }) => length)
  return {
    digits: digits.slice(
      0,
      lengths.reduce((sum, length) => sum + length, 0),
    ),
    groups: lengths,
    end: last.end,
  }
}

/** Position of the next digit group, or -1 when the number is over. */
export function nextGroup(text: string, from: number, wide: boolean): number {
  const limit = wide ? 3 : 1
  let at = from
  while (at - from < limit && isSeparator(text.charCodeAt(at), wide)) {
    if (at > from && isBlank(text.charCodeAt(at)) && isBlank(text.charCodeAt(at - 1))) return -1
    at += 1
  }
  return at > from && isDigit(text.charCodeAt(at)) ? at : -1
}
