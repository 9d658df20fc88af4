/**
 * Cuts a text into chunks by its structure: at pages and headings, then at paragraphs, lines, sentences and words.
 * Promises that the chunks joined are the text, that none is longer than the most, and that no character is cut in two.
 * Pure. Tested in chunk.test.ts.
 */
import type { AssembledText } from './assemble.ts'

export interface Chunk {
  /** Offsets in the text, in UTF-16 units; the end is not included. */
  readonly start: number
  readonly end: number
  readonly page: number | null
  /** Headings above it, the highest first. */
  readonly headingPath: readonly string[]
}

/** Characters from which a chunk ends at the next paragraph: about 350 tokens of English. */
const targetLength = 1_400
/** About 600 tokens. */
const mostLength = 2_400
const longestHeading = 200

/** @param markdown whether lines that begin with # are headings */
export function chunksOf({ text, pages }: Pick<AssembledText, 'text' | 'pages'>, markdown: boolean): readonly Chunk[] {
  const headings = markdown ? headingsIn(text) : []
  const forced = new Set([...pages.map(({ start }) => start), ...headings.map(({ start }) => start)])
  const places = boundaries(text, forced)
  const chunks: Chunk[] = []
  let path: readonly Heading[] = []
  let nextHeading = 0
  let start = 0
  for (const end of places) {
    const heading = headings[nextHeading]
    if (heading?.start === start) {
      path = [...path.filter(({ level }) => level < heading.level), heading]
      nextHeading += 1
    }
    const page = pages.findLast((one) => one.start <= start)?.page ?? null
    chunks.push({ start, end, page, headingPath: path.map(({ title }) => title) })
    start = end
  }
  return chunks
}

interface Heading {
  readonly start: number
  readonly level: number
  readonly title: string
}

function headingsIn(text: string): readonly Heading[] {
  const headings: Heading[] = []
  let inCode = false
  for (const match of text.matchAll(/^.*$/gm)) {
    const [line] = match
    if (/^(?:```|~~~)/.test(line)) inCode = !inCode
    const found = inCode ? null : /^(#{1,6})[ \t]+(\S.*)/.exec(line)
    if (found !== null)
      headings.push({
        start: match.index,
        level: found[1]?.length ?? 1,
        title: (found[2] ?? '')
          .trimEnd()
          .replace(/(?<=[ \t])#+$/, '')
          .trimEnd()
          .slice(0, longestHeading),
      })
  }
  return headings
}

/** The ends of the chunks, in order; the last is the end of the text. */
function boundaries(text: string, forced: ReadonlySet<number>): readonly number[] {
  const ends: number[] = []
  const paragraphs = [...text.matchAll(/\n[ \t]*\n\s*/g)].map(({ index, 0: gap }) => index + gap.length)
  const stops = [...new Set([...paragraphs, ...forced, text.length])].filter((at) => at > 0).sort((a, b) => a - b)
  let start = 0
  let last = 0
  const cut = (at: number): void => {
    for (const end of within(text, start, at)) ends.push(end)
    start = at
  }
  for (const stop of stops) {
    if (stop - start > mostLength && last > start) cut(last)
    if (forced.has(stop) || stop - start >= targetLength || stop === text.length) cut(stop)
    last = stop
  }
  return ends
}

/** Ends within a stretch that is longer than a chunk may be: at a line, a sentence or a word, or anywhere. */
function within(text: string, from: number, to: number): readonly number[] {
  const ends: number[] = []
  let start = from
  while (to - start > mostLength) {
    const window = text.slice(start, start + mostLength)
    const end =
      start +
      (lastEnd(window, /\n/g) ?? lastEnd(window, /[.!?。！？]\s+/g) ?? lastEnd(window, /\s+/g) ?? hardEnd(window))
    ends.push(end)
    start = end
  }
  if (to > start) ends.push(to)
  return ends
}

/** The end of the last match in the second half of a window. */
function lastEnd(window: string, pattern: RegExp): number | null {
  let end: number | null = null
  for (const match of window.matchAll(pattern)) end = match.index + match[0].length
  return end !== null && end >= mostLength / 2 ? end : null
}

/** Not between the halves of a character. */
const hardEnd = (window: string): number => (/[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length)
