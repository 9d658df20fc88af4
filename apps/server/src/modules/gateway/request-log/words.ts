/**
 * Words of kept content as PostgreSQL's full text search takes them, and the queries that find them. Both are cut into
 * words here and not by the database: its parser's idea of a letter depends on the server's locale, and its work would
 * be part of the commit that every call waits for. Tested in words.test.ts and requests-search.test.ts.
 */

const wordPattern = /[\p{L}\p{M}\p{N}_]+/gu
/** UTF-16 units of a word; the database takes 2,046 bytes. */
const longestWord = 64
/** Highest position in the type. */
const lastPosition = 16_383
/** Positions between two texts, so that no phrase reaches from one into the other. */
const gap = 8

function wordsIn(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase()
  return (folded.match(wordPattern) ?? []).map((word) => word.slice(0, longestWord).toWellFormed())
}

/** The texts as the text form of a `tsvector`. Words hold no quote and no backslash, so nothing has to be escaped. */
export function vectorOf(texts: readonly string[]): string {
  const positions = new Map<string, string>()
  let at = 0
  for (const text of texts) {
    for (const word of wordsIn(text)) {
      at = Math.min(at + 1, lastPosition)
      const before = positions.get(word)
      positions.set(word, before === undefined ? String(at) : `${before},${at}`)
    }
    at = Math.min(at + gap, lastPosition)
  }
  return [...positions].map(([word, places]) => `'${word}':${places}`).join(' ')
}

const termPattern = /(-?)"([^"]*)"|(\S+)/gu

/**
 * Search box input as the text form of a `tsquery`: all words, `"a phrase"`, `or` between two, `-` before a term that
 * must not occur. Empty when it holds no word.
 */
export function queryOf(q: string): string {
  const alternatives: string[][] = [[]]
  for (const [, minus = '', phrase, plain = ''] of q.matchAll(termPattern)) {
    if (phrase === undefined && plain.toLowerCase() === 'or') alternatives.push([])
    else alternatives.at(-1)?.push(...termOf(phrase ?? plain, minus === '-' || plain.startsWith('-')))
  }
  return alternatives
    .filter((terms) => terms.length > 0)
    .map((terms) => `(${terms.join(' & ')})`)
    .join(' | ')
}

/** A word that the database would split at a hyphen or a dot becomes a phrase. */
function termOf(text: string, excluded: boolean): readonly string[] {
  const words = wordsIn(text).map((word) => `'${word}'`)
  return words.length === 0 ? [] : [`${excluded ? '!' : ''}(${words.join(' <-> ')})`]
}
