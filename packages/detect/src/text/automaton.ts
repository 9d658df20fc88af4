/**
 * Finds every occurrence of every word in one pass over the text (Aho and Corasick, 1975).
 * Promises time linear in text plus hits and memory linear in the words: only the states near the root, where a scan
 * spends nearly all its time, have a full table row; the others keep their steps in one hash table. Any whitespace
 * matches a space of a word, any apostrophe an ASCII one. Tested in automaton.test.ts.
 */
import { alphabetOf, buildTrie, folded, type StepTable, type WordTrie } from './word-trie.ts'

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
  const { tables, reports } = compile(words, edges)
  const { rows, flags } = tables
  const { continues } = reports
  const dense = rows.length >> rowBits
  return {
    scan: (text, onHit) => {
      let state = 0
      let code = text.charCodeAt(0)
      for (let i = 1; i <= text.length; i += 1) {
        // Nearly every step of nearly every text. A step carries the flags of the state it leads to.
        let step = 0
        if (state < dense && code < rowSize) step = rows[(state << rowBits) | code] ?? 0
        else {
          state = advance(tables, state, code)
          step = (state << flagBits) | (flags[state] ?? 0)
        }
        state = step >> flagBits
        code = i < text.length ? text.charCodeAt(i) : 0
        if ((step & (continues[code] === 1 ? endsInside : endsWord)) === 0) continue
        if (!reportAt(reports, { text, end: i, state }, onHit)) return
      }
    },
  }
}

function compile(words: readonly string[], edges: Edges | undefined): { tables: Tables; reports: Reports } {
  const keys = words.map(folded)
  const alphabet = alphabetOf(keys)
  const trie = buildTrie(keys, alphabet)
  const failure = linkFailures(trie)
  const tables: Tables = {
    classOf: alphabet.classOf,
    steps: trie.steps,
    failure,
    rows: denseRows(trie, failure, alphabet.classOf),
    flags: new Uint8Array(trie.states),
    ...onlySteps(trie),
  }
  const needs = edges?.needs ?? new Uint8Array(words.length)
  const atEdge = reportLinks(trie, failure, () => true)
  const inside = edges ? reportLinks(trie, failure, (word) => ((needs[word] ?? 0) & right) === 0) : atEdge
  markReports(tables, atEdge, inside)
  const lengths = Int32Array.from(words, (word) => word.length)
  const { wordAt, nextSame } = trie
  const continues = edges?.continues ?? new Uint8Array(0)
  return { tables, reports: { wordAt, nextSame, failure, atEdge, inside, needs, lengths, continues } }
}

/** Which words end in a state. */
interface Reports extends Edges {
  readonly wordAt: Int32Array
  readonly nextSame: Int32Array
  readonly failure: Int32Array
  /** See `reportLinks`: for all words, and for those that may end inside a word of the text. */
  readonly atEdge: Int32Array
  readonly inside: Int32Array
  readonly lengths: Int32Array
}

interface Position {
  readonly text: string
  readonly end: number
  readonly state: number
}

/** Calls back with the words that end here; false when the caller has had enough. */
function reportAt(reports: Reports, { text, end, state }: Position, onHit: Parameters<Automaton['scan']>[1]): boolean {
  const { wordAt, nextSame, failure, needs, lengths, continues } = reports
  const goesOn = end < text.length && continues[text.charCodeAt(end)] === 1
  const links = goesOn ? reports.inside : reports.atEdge
  for (let at = links[state] ?? 0; at > 0; at = links[failure[at] ?? 0] ?? 0) {
    for (let next = wordAt[at] ?? 0; next > 0; next = nextSame[next] ?? 0) {
      const need = needs[next - 1] ?? 0
      if (goesOn && (need & right) !== 0) continue
      const start = end - (lengths[next - 1] ?? 0)
      if ((need & left) !== 0 && start > 0 && continues[text.charCodeAt(start - 1)] === 1) continue
      if (!onHit(next - 1, end)) return false
    }
  }
  return true
}

/** Flags of a state: some word ends here inside a word of the text, or at its edge. */
const endsInside = 1
const endsWord = 2
const flagBits = 2

function markReports({ flags, rows }: Tables, report: Int32Array, inside: Int32Array): void {
  for (let state = 0; state < flags.length; state += 1)
    flags[state] = ((inside[state] ?? 0) > 0 ? endsInside : 0) | ((report[state] ?? 0) > 0 ? endsWord : 0)
  for (let i = 0; i < rows.length; i += 1) rows[i] = ((rows[i] ?? 0) << flagBits) | (flags[rows[i] ?? 0] ?? 0)
}

const left = 1
const right = 2

// 8,192 rows of 128 steps are 4 MB; they cover the ASCII prefixes of up to four letters of some twenty thousand words.
const maxRows = 8192
const rowBits = 7
const rowSize = 1 << rowBits

interface Tables {
  readonly classOf: Uint16Array
  readonly steps: StepTable
  /** State of the longest proper suffix that is a prefix of a word. */
  readonly failure: Int32Array
  /** Steps by ASCII character, with the flags of where they lead, of the states with the lowest numbers, which ASCII alone leads to. */
  readonly rows: Int32Array
  readonly flags: Uint8Array
  /** The one symbol that leads on from a state, 0 for none, `manySymbols` for more; and where it leads. */
  readonly onlySymbol: Uint16Array
  readonly onlyNext: Int32Array
}

const manySymbols = 0xffff

function advance({ classOf, steps, failure, rows, onlySymbol, onlyNext }: Tables, from: number, code: number): number {
  const dense = code < rowSize ? rows.length >> rowBits : 0
  const symbol = classOf[code] ?? 0
  if (symbol === 0) return 0
  for (let state = from; ; state = failure[state] ?? 0) {
    if (state < dense) return (rows[(state << rowBits) | code] ?? 0) >> flagBits
    const only = onlySymbol[state] ?? 0
    const next = only === manySymbols ? steps.get(state, symbol) : only === symbol ? (onlyNext[state] ?? 0) : 0
    if (next > 0 || state === 0) return next
  }
}

/** Beyond the first letters nearly every state leads on to one other. */
function onlySteps({ states, parent, symbolInto }: WordTrie): Pick<Tables, 'onlySymbol' | 'onlyNext'> {
  const onlySymbol = new Uint16Array(states)
  const onlyNext = new Int32Array(states)
  for (let state = 1; state < states; state += 1) {
    const from = parent[state] ?? 0
    onlySymbol[from] = onlySymbol[from] === 0 ? (symbolInto[state] ?? 0) : manySymbols
    onlyNext[from] = state
  }
  return { onlySymbol, onlyNext }
}

function linkFailures({ states, steps, parent, symbolInto }: WordTrie): Int32Array {
  const failure = new Int32Array(states)
  for (let state = 1; state < states; state += 1) {
    let suffix = parent[state] ?? 0
    while (suffix > 0 && failure[state] === 0) {
      suffix = failure[suffix] ?? 0
      failure[state] = steps.get(suffix, symbolInto[state] ?? 0)
    }
  }
  return failure
}

function denseRows(
  { asciiStates, parent, symbolInto }: WordTrie,
  failure: Int32Array,
  classOf: Uint16Array,
): Int32Array {
  const codesOf: number[][] = []
  for (let code = 0; code < rowSize; code += 1)
    codesOf[classOf[code] ?? 0] = [...(codesOf[classOf[code] ?? 0] ?? []), code]
  const dense = Math.min(asciiStates, maxRows)
  const rows = new Int32Array(dense << rowBits)
  // A child comes after its parent, and a parent's row before all rows that copy from it.
  let child = 1
  for (let state = 0; state < dense; state += 1) {
    const suffix = failure[state] ?? 0
    if (state > 0) rows.copyWithin(state << rowBits, suffix << rowBits, (suffix + 1) << rowBits)
    for (; child < asciiStates && parent[child] === state; child += 1)
      for (const code of codesOf[symbolInto[child] ?? 0] ?? []) rows[(state << rowBits) | code] = child
  }
  return rows
}

/** The state itself or its nearest suffix at which a word ends that `counts`; 0 where there is none. */
function reportLinks(
  { states, wordAt, nextSame }: WordTrie,
  failure: Int32Array,
  counts: (word: number) => boolean,
): Int32Array {
  const report = new Int32Array(states)
  for (let state = 1; state < states; state += 1) {
    let next = wordAt[state] ?? 0
    while (next > 0 && !counts(next - 1)) next = nextSame[next] ?? 0
    report[state] = next > 0 ? state : (report[failure[state] ?? 0] ?? 0)
  }
  return report
}
