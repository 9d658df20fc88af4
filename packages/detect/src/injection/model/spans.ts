/**
 * Ends of sentences and lines in a normalized text: after a line break, after `.!?` and a blank, after the full stops of
 * other scripts. Sorted, the last one is the length of the text. Abbreviations split too; a part too short to judge is
 * judged with its neighbor.
 */
export function sentenceEnds(text: string): Uint32Array {
  const ends: number[] = []
  for (let i = 0; i < text.length; i += 1) {
    const kind = kinds[text.charCodeAt(i)] ?? 0
    if (kind !== 0 && (kind === always || isBlank(text.charCodeAt(i + 1)))) ends.push(i + 1)
  }
  if (ends[ends.length - 1] !== text.length) ends.push(text.length)
  return new Uint32Array(ends)
}

const isBlank = (code: number): boolean => code === 32 || code === 10

const always = 1
const beforeBlank = 2
const kinds = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const code of [10, 0x3002, 0x964, 0xff01, 0xff1f, 0x61f, 0x6d4]) table[code] = always
  for (const char of '.!?') table[char.charCodeAt(0)] = beforeBlank
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
