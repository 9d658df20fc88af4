/**
 * Finds every occurrence of every word in one pass over the text (Aho and Corasick, 1975).
 * Promises time linear in text plus hits and memory linear in the words. Any whitespace matches a space of a word, any
 * apostrophe an ASCII one. Tested in automaton.test.ts.
 */
import { far, flagBits, layOut, rootAfter, type Steps, stepBeyond, stepToFar } from './automaton-steps.ts'
import { type Alphabet, alphabetOf, buildTrie, folded, type WordTrie } from './word-trie.ts'

export interface Automaton {
  /** Calls back with the word's index and the end offset of each occurrence, by end offset, until it returns false. */
  scan(text: string, onHit: (word: number, end: number) => boolean): void
}

/** Words that stand only at the edges of words of the text. */
export interface Edges {
  /** By UTF-16 unit: 1 where a word of the text goes on. */
  readonly continues: Uint8Array
  /** By word: bit 1 when no word may go on before it, bit 2 when none may go on behind it. */
  readonly needs: Uint8Array
}

/** Builds the automaton; an empty word never occurs, and one whose edges are not free is passed over. */
export function createAutomaton(words: readonly string[], edges?: Edges): Automaton {
  const { steps, reports } = compile(words, edges)
  const { continues } = reports
  return {
    scan: (text, onHit) => {
      const { classOf, rows, rowBits, rowStates, rowSymbols } = steps
      const { length } = text
      let step = 0
      let code = text.charCodeAt(0)
      for (let i = 1; i <= length; i += 1) {
        // Nearly every step of nearly every text. A step carries the flags of the state it leads to.
        const state = step >> flagBits
        const symbol = classOf[code] ?? 0
        if (state < rowStates && symbol < rowSymbols) {
          step = rows[(state << rowBits) | symbol] ?? 0
          if (step >= far) step = stepToFar(steps, step)
        } else step = stepBeyond(steps, state, symbol)
        code = i < length ? text.charCodeAt(i) : 0
        if ((step & (continues[code] === 1 ? endsInside : endsWord)) === 0) continue
        if (!reportAt(reports, { text, end: i, state: step >> flagBits }, onHit)) return
      }
    },
  }
}

const noWord = /* @__PURE__ */ new Uint8Array(0x10000)

function compile(words: readonly string[], edges: Edges | undefined): { steps: Steps; reports: Reports } {
  const keys = words.map(folded)
  const alphabet = alphabetOf(keys, edges?.continues ?? noWord)
  const needs = edges?.needs ?? new Uint8Array(words.length)
  const trie = buildTrie(keys, alphabet, edges ? (word) => ((needs[word] ?? 0) & left) === 0 : null)
  const failure = linkFailures(trie, alphabet)
  const atEdge = reportLinks(trie, failure, () => true)
  const inside = edges ? reportLinks(trie, failure, (word) => ((needs[word] ?? 0) & right) === 0) : atEdge
  const reports: Reports = {
    states: reportRecords(trie, failure, { atEdge, inside }),
    words: wordRecords(words, trie, needs),
    continues: edges?.continues ?? noWord,
  }
  return { steps: layOut(trie, alphabet, { failure, flags: flagsOf(atEdge, inside) }), reports }
}

/** Which words end in a state. */
interface Reports {
  /** Four numbers a state: its links (see `reportLinks`) for all words and for those that may end inside a word of the text; its first word, counted from 1; the link to follow behind it. */
  readonly states: Int32Array
  /** Two numbers a word, counted from 1: the next one spelled the same; its length, with its needs in the low bits. */
  readonly words: Int32Array
  readonly continues: Uint8Array
}

interface Position {
  readonly text: string
  readonly end: number
  readonly state: number
}

const left = 1
const right = 2
const needBits = 2

/** Calls back with the words that end here; false when the caller has had enough. */
function reportAt(reports: Reports, { text, end, state }: Position, onHit: Parameters<Automaton['scan']>[1]): boolean {
  const { states, words, continues } = reports
  const goesOn = end < text.length && continues[text.charCodeAt(end)] === 1
  const link = goesOn ? 1 : 0
  for (let at = states[state * 4 + link] ?? 0; at > 0; at = states[(states[at * 4 + 3] ?? 0) * 4 + link] ?? 0) {
    for (let next = states[at * 4 + 2] ?? 0; next > 0; next = words[next * 2] ?? 0) {
      const word = words[next * 2 + 1] ?? 0
      if (goesOn && (word & right) !== 0) continue
      const start = end - (word >> needBits)
      if ((word & left) !== 0 && start > 0 && continues[text.charCodeAt(start - 1)] === 1) continue
      if (!onHit(next - 1, end)) return false
    }
  }
  return true
}

function reportRecords(
  { states, wordAt }: WordTrie,
  failure: Int32Array,
  { atEdge, inside }: { atEdge: Int32Array; inside: Int32Array },
): Int32Array {
  const records = new Int32Array(states * 4)
  for (let state = 0; state < states; state += 1) {
    records[state * 4] = atEdge[state] ?? 0
    records[state * 4 + 1] = inside[state] ?? 0
    records[state * 4 + 2] = wordAt[state] ?? 0
    records[state * 4 + 3] = failure[state] ?? 0
  }
  return records
}

function wordRecords(words: readonly string[], { nextSame }: WordTrie, needs: Uint8Array): Int32Array {
  const records = new Int32Array(words.length * 2 + 2)
  words.forEach((word, index) => {
    records[index * 2 + 2] = nextSame[index + 1] ?? 0
    records[index * 2 + 3] = (word.length << needBits) | ((needs[index] ?? 0) & (left | right))
  })
  return records
}

/** Flags of a state: some word ends here inside a word of the text, or at its edge. */
const endsInside = 1
const endsWord = 2

function flagsOf(atEdge: Int32Array, inside: Int32Array): Uint8Array {
  return Uint8Array.from(
    atEdge,
    (link, state) => ((inside[state] ?? 0) > 0 ? endsInside : 0) | (link > 0 ? endsWord : 0),
  )
}

/** State of the longest proper suffix that is a prefix of a word that may begin there; else the root. */
function linkFailures({ states, roots, steps, parent, symbolInto }: WordTrie, { goesOn }: Alphabet): Int32Array {
  const failure = new Int32Array(states)
  for (let state = roots; state < states; state += 1) {
    const symbol = symbolInto[state] ?? 0
    let suffix = parent[state] ?? 0
    let found = 0
    while (suffix >= roots && found === 0) {
      suffix = failure[suffix] ?? 0
      found = steps.get(suffix, symbol)
    }
    failure[state] = found > 0 ? found : rootAfter(goesOn, symbol, roots)
  }
  return failure
}

/** The state itself or its nearest suffix at which a word ends that `counts`; 0 where there is none. */
function reportLinks(
  { states, roots, wordAt, nextSame }: WordTrie,
  failure: Int32Array,
  counts: (word: number) => boolean,
): Int32Array {
  const report = new Int32Array(states)
  for (let state = roots; state < states; state += 1) {
    let next = wordAt[state] ?? 0
    while (next > 0 && !counts(next - 1)) next = nextSame[next] ?? 0
    report[state] = next > 0 ? state : (report[failure[state] ?? 0] ?? 0)
  }
  return report
}
