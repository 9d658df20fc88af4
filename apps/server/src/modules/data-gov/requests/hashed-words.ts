/**
 * Finds identifiers in a text when only their keyed hashes and lengths are known. Identifiers of up to four words are
 * found, with punctuation around them or not; one that a text breaks by other characters is not. Tested in
 * hashed-words.test.ts.
 */

/** As `needlesOf`: shorter words stand everywhere and say nothing. */
const leastLength = 6
const mostWords = 4
/** Characters that end a word in prose, JSON and addresses, and are in no identifier. */
const edges = /[\s"'`<>()[\]{},;:|\\=]+/u
const punctuation = new Set('.!?*_~/#-')

/** Texts that may be an identifier of one of the lengths, each once. @param lengths empty for any */
export function candidatesIn(text: string, lengths: ReadonlySet<number>): ReadonlySet<string> {
  const words = text
    .replaceAll(/\\[nrt]/g, ' ')
    .normalize('NFC')
    .toLowerCase()
    .split(edges)
    .map(bare)
    .filter((word) => word !== '')
  const found = new Set<string>()
  for (const [at, first] of words.entries()) {
    let joined = first
    for (let count = 1; ; count += 1) {
      if (joined.length >= leastLength && (lengths.size === 0 || lengths.has(joined.length))) found.add(joined)
      const next = words[at + count]
      if (count === mostWords || next === undefined) break
      joined = `${joined} ${next}`
    }
  }
  return found
}

/** By hand: an expression that ends with the end takes time that grows with the square of a run of punctuation. */
function bare(word: string): string {
  let [start, end] = [0, word.length]
  while (start < end && punctuation.has(word.charAt(start))) start += 1
  while (end > start && punctuation.has(word.charAt(end - 1))) end -= 1
  return word.slice(start, end)
}
