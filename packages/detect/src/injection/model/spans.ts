/**
 * Ends of sentences and lines in a normalized text: after a line break, after `.!?` and a blank, after the full stops of
 * other scripts. Sorted, the last one is the length of the text. Abbreviations split too; a part too short to judge is
 * judged with its neighbor.
 */
export function sentenceEnds(text: string): Uint32Array {
  const ends: number[] = []
  for (let i = 0; i < text.length; i += 1) if (endsAt(text, i)) ends.push(i + 1)
  if (ends[ends.length - 1] !== text.length) ends.push(text.length)
  return Uint32Array.from(ends)
}

function endsAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 63)
    return code === 0x3002 || code === 0x964 || code === 0xff01 || code === 0xff1f || code === 0x61f || code === 0x6d4
  if (code === 10) return true
  if (code !== 46 && code !== 33 && code !== 63) return false
  const next = text.charCodeAt(at + 1)
  return next === 32 || next === 10
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
