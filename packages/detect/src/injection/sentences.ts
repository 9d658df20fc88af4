/** A range of a text, UTF-16. */
export interface Range {
  readonly start: number
  readonly end: number
}

const longestSentence = 600

/**
 * Widens a range to the sentences or lines it touches: to the nearest end mark followed by a blank, line break or end of
 * a tag on both sides, at most 600 characters away. Works in any script that ends sentences with `.!?。！？` or lines.
 */
export function wholeSentences(text: string, { start, end }: Range): Range {
  return { start: sentenceStart(text, start), end: sentenceEnd(text, end) }
}

function sentenceStart(text: string, from: number): number {
  const least = Math.max(0, from - longestSentence)
  for (let i = from; i > least; i -= 1) if (endsAt(text, i - 1)) return skipBlanks(text, i, from)
  return least
}

function sentenceEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + longestSentence)
  for (let i = Math.max(0, from - 1); i < most; i += 1)
    if (endsAt(text, i)) return isBreak(text.charCodeAt(i)) ? i : i + 1
  return most
}

/** Whether a sentence or line ends with the character at a position. */
function endsAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (isBreak(code) || code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x964) return true
  if (code !== 46 && code !== 33 && code !== 63) return false
  const next = text.charCodeAt(at + 1)
  return Number.isNaN(next) || next === 32 || isBreak(next) || next === 60
}

const isBreak = (code: number): boolean => code === 10 || code === 13

function skipBlanks(text: string, from: number, most: number): number {
  let at = from
  while (at < most && (text.charCodeAt(at) === 32 || isBreak(text.charCodeAt(at)))) at += 1
  return at
}
