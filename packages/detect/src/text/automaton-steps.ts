/**
 * Where an automaton goes from each state: full rows for the states near the root, where a scan spends nearly all its
 * time, packed records and a hash table for the others. Promises that one step touches few places in memory: a text
 * meets thousands of states, and waiting for memory is what a scan costs. Tested through automaton.test.ts.
 */
import type { Alphabet, StepTable, WordTrie } from './word-trie.ts'

export interface Steps {
  readonly classOf: Uint16Array
  /** Steps by symbol of the states with the lowest numbers, which ASCII alone leads to, and of those symbols. */
  readonly rows: Int32Array
  /** A row has `1 << rowBits` symbols. */
  readonly rowBits: number
  readonly rowStates: number
  readonly rowSymbols: number
  /** Four numbers a state: the one symbol that leads on, 0 for none and -1 for more; its step; the failure; nothing. */
  readonly records: Int32Array
  /** Steps from the root by symbol. */
  readonly first: Int32Array
  /** Flags by state, and steps by state and symbol. */
  readonly flags: Uint8Array
  readonly table: StepTable
}

/** A step is the state it leads to, shifted by so many bits, with two flags of that state. */
export const flagBits = 2

// Rows of 64 symbols, of which the common letters share a line of memory, are 2 MB; they cover the ASCII prefixes of up
// to four letters of some twenty thousand words.
const maxRows = 8192
const recordBits = 2
const many = -1

/** Lays out the steps of a tree with its failures and the flags of its states. */
export function layOut(trie: WordTrie, { classOf, classes, asciiClasses }: Alphabet, links: Links): Steps {
  const { steps: table } = trie
  const { flags } = links
  const rowBits = Math.ceil(Math.log2(Math.max(2, asciiClasses)))
  const rowStates = Math.min(trie.asciiStates, maxRows)
  const rows = fullRows(trie, links, { rowBits, rowStates })
  const first = new Int32Array(classes)
  for (let symbol = 1; symbol < classes; symbol += 1) first[symbol] = stepTo(flags, table.get(0, symbol))
  return {
    ...{ classOf, rows, rowBits, rowStates, rowSymbols: asciiClasses },
    ...{ records: recordsOf(trie, links), first, flags, table },
  }
}

export interface Links {
  /** State of the longest proper suffix that is a prefix of a word. */
  readonly failure: Int32Array
  readonly flags: Uint8Array
}

const stepTo = (flags: Uint8Array, state: number): number => (state << flagBits) | (flags[state] ?? 0)

/** The step from a state by a symbol that has no row. */
export function stepBeyond(steps: Steps, from: number, symbol: number): number {
  const { records, first, table, flags } = steps
  for (let state = from; state > 0; ) {
    if (state < steps.rowStates && symbol < steps.rowSymbols) return steps.rows[(state << steps.rowBits) | symbol] ?? 0
    const record = state << recordBits
    const only = records[record] ?? 0
    if (only === symbol) return records[record + 1] ?? 0
    const next = only === many ? table.get(state, symbol) : 0
    if (next > 0) return stepTo(flags, next)
    state = records[record + 2] ?? 0
  }
  return first[symbol] ?? 0
}

/** Beyond the first letters nearly every state leads on to one other. */
function recordsOf({ states, parent, symbolInto }: WordTrie, { failure, flags }: Links): Int32Array {
  const records = new Int32Array(states << recordBits)
  for (let state = 1; state < states; state += 1) {
    const from = (parent[state] ?? 0) << recordBits
    records[from] = records[from] === 0 ? (symbolInto[state] ?? 0) : many
    records[from + 1] = stepTo(flags, state)
    records[(state << recordBits) + 2] = failure[state] ?? 0
  }
  return records
}

function fullRows(
  { asciiStates, parent, symbolInto }: WordTrie,
  { failure, flags }: Links,
  { rowBits, rowStates }: Pick<Steps, 'rowBits' | 'rowStates'>,
): Int32Array {
  const rows = new Int32Array(rowStates << rowBits)
  // A child comes after its parent, and a parent's row before all rows that copy from it.
  let child = 1
  for (let state = 0; state < rowStates; state += 1) {
    const suffix = failure[state] ?? 0
    if (state > 0) rows.copyWithin(state << rowBits, suffix << rowBits, (suffix + 1) << rowBits)
    for (; child < asciiStates && parent[child] === state; child += 1)
      rows[(state << rowBits) | (symbolInto[child] ?? 0)] = stepTo(flags, child)
  }
  return rows
}
