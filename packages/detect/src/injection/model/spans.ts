/**
 * Ends of sentences and lines in a normalized text: after `.!?` and a blank, after the full stops of other scripts, after
 * a line break unless the sentence goes on in the next line. Sorted, the last one is the length of the text.
 * Abbreviations split too; a part too short to judge is judged with its neighbor.
 */
export function sentenceEnds(text: string): Uint32Array {
  const ends: number[] = []
  let [line, last] = [0, 0]
  const kindOf = kinds
  for (let i = 0; i < text.length; i += 1) {
    const kind = kindOf[text.charCodeAt(i)] ?? 0
    if (kind === 0 || (kind === beforeBlank && !isBlank(text.charCodeAt(i + 1)))) continue
    const wraps = kind === lineBreak && i - last < longestWrapped && goesOn(text, line, i)
    if (kind === lineBreak) line = i + 1
    if (wraps) continue
    ends.push(i + 1)
    last = i + 1
  }
  if (ends[ends.length - 1] !== text.length) ends.push(text.length)
  return new Uint32Array(ends)
}

const isBlank = (code: number): boolean => code === 32 || code === 10

/** Characters of a sentence after which a line break ends it anyway: text without full stops is no single sentence. */
const longestWrapped = 240

/** Lines that programs and people wrap are about this long. */
const shortestLine = 45
const longestLine = 110

/** Whether a line of prose, from `start` to its break at `end`, was wrapped: half a sentence says less than the whole. */
function goesOn(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < shortestLine || length > longestLine) return false
  return !stops.has(text.charCodeAt(end - 1)) && beginsWord(text.charCodeAt(end + 1))
}

const stops: ReadonlySet<number> = new Set([...'.!?:;|>'].map((char) => char.charCodeAt(0)))

/** Letters, digits, quotation marks and an opening parenthesis; not the signs of lists, tables and code. */
const beginsWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 34 || code === 39 || code === 40 || code >= 0xc0

const always = 1
const beforeBlank = 2
const lineBreak = 3
const kinds = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const code of [0x3002, 0x964, 0xff01, 0xff1f, 0x61f, 0x6d4]) table[code] = always
  for (const char of '.!?') table[char.charCodeAt(0)] = beforeBlank
  table[10] = lineBreak
  return table
}

/** Shortest and longest span judged as a sentence, in characters. */
const shortest = 20
const longest = 480

/** Calls back with every sentence and every pair of neighbors that has a length worth judging. */
export function eachSentence(ends: Uint32Array, visit: (start: number, end: number) => void): void {
  let [before, start] = [0, 0]
  for (const end of ends) {
    if (end - start >= shortest && end - start <= longest) visit(start, end)
    if (before < start && end - before >= shortest && end - before <= longest) visit(before, end)
    before = start
    start = end
  }
}

/** Longest passage judged, in characters, and most sentences of one. */
const longestPassage = 1_000
const mostSentences = 5

/** Calls back with every run of three to five sentences that is short enough to be one request. */
export function eachPassage(ends: Uint32Array, visit: (start: number, end: number) => void): void {
  for (let last = 2; last < ends.length; last += 1) {
    const end = ends[last] ?? 0
    for (let sentences = 3; sentences <= mostSentences && sentences <= last + 1; sentences += 1) {
      const start = last < sentences ? 0 : (ends[last - sentences] ?? 0)
      if (end - start > longestPassage) break
      if (end - start >= shortest) visit(start, end)
    }
  }
}
