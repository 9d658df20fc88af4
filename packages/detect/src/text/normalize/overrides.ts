import type { Tape } from '../view/tape.ts'

interface Region {
  readonly start: number
  readonly end: number
}

/**
 * Text between a right-to-left override (U+202E) and its end (U+202C or the end of the line) as it is drawn: reversed
 * by code point. Lengths stay the same; `widen` makes every unit of such a region stand for the whole of it, so that
 * ranges keep the order of the original.
 */
export function undoOverrides(text: string): { text: string; widen: (tape: Tape) => void } {
  if (text.indexOf('\u202e') < 0) return { text, widen: () => undefined }
  const regions = overrideRegions(text)
  const parts: string[] = []
  let copied = 0
  for (const { start, end } of regions) {
    parts.push(text.slice(copied, start), [...text.slice(start, end)].reverse().join(''))
    copied = end
  }
  parts.push(text.slice(copied))
  return { text: parts.join(''), widen: (tape) => widen(tape, regions) }
}

// No honest text turns its direction this often; further overrides are only counted.
const maxRegions = 4096

function overrideRegions(text: string): Region[] {
  const regions: Region[] = []
  for (let at = text.indexOf('\u202e'); at >= 0 && regions.length < maxRegions; ) {
    let end = at + 1
    while (end < text.length && !'\u202c\u202e\n\r\u2028\u2029'.includes(text.charAt(end))) end += 1
    regions.push({ start: at + 1, end })
    at = text.indexOf('\u202e', end)
  }
  return regions
}

function widen(tape: Tape, regions: readonly Region[]): void {
  let k = 0
  for (let i = 0; i < tape.length; i += 1) {
    const start = tape.starts[i] ?? 0
    while (k < regions.length && (regions[k]?.end ?? 0) <= start) k += 1
    const region = regions[k]
    if (!region || start < region.start) continue
    tape.starts[i] = region.start
    tape.ends[i] = region.end
  }
}
