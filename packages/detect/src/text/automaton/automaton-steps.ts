/**
 * Where an automaton goes from each state: full rows for the states near the root, where a scan spends nearly all its
 * time, packed records and a hash table for the others. Promises that one step touches few places in memory: a text
 * meets thousands of states, and waiting for memory is what a scan costs. Tested through automaton.test.ts.
 */
import type { Alphabet, StepTable, WordTrie } from './word-trie.ts'

export interface Steps {
  readonly classOf: Uint16Array
  /** Steps by symbol of the states with the lowest numbers, which ASCII alone leads to, and of those symbols; see `far`. */
  readonly rows: Uint16Array
  /** A row has `1 << rowBits` symbols. */
  readonly rowBits: number
  readonly rowStates: number
  readonly rowSymbols: number
  /**
   * Four numbers a state: the one symbol that leads on, 0 for none and -1 for more; its step, or the first of the states
   * it leads on to; the failure; how many of these states follow each other.
   */
  readonly records: Int32Array
  /** The symbol that leads into each state. */
  readonly symbolInto: Uint16Array
  readonly asciiStates: number
  readonly roots: number
  readonly classes: number
  /** Steps from the roots, by root and symbol. */
  readonly first: Int32Array
  /** Flags by state, and steps by state and symbol. */
  readonly flags: Uint8Array
  readonly table: StepTable
}

/** A step is the state it leads to, shifted by so many bits, with two flags of that state. */
export const flagBits = 2

/** A row names a state without a row by how far it lies behind the last row, with this bit; its flags are looked up. */
export const far = 0x8000

// Rows of 64 symbols, of which the common letters share a line of memory, are 1 MB; they cover the ASCII prefixes of up
// to four letters of some twenty thousand words. More would not fit beside the flags and the bit for far states.
const maxRows = far >> flagBits
const recordBits = 2
const many = -1

/** Lays out the steps of a tree with its failures and the flags of its states. */
export function layOut(trie: WordTrie, { classOf, classes, asciiClasses, goesOn }: Alphabet, links: Links): Steps {
  const { steps: table, roots } = trie
  const { flags } = links
  const rowBits = Math.ceil(Math.log2(Math.max(2, asciiClasses)))
  const rowStates = rowsOf(trie)
  const first = new Int32Array(roots * classes)
  for (let root = 0; root < roots; root += 1)
    for (let symbol = 0; symbol < classes; symbol += 1)
      first[root * classes + symbol] = stepTo(flags, table.get(root, symbol) || rootAfter(goesOn, symbol, roots))
  const rows = fullRows(trie, links, { rowBits, rowStates, rootOf: (symbol) => rootAfter(goesOn, symbol, roots) })
  return {
    ...{ classOf, rows, rowBits, rowStates, rowSymbols: asciiClasses },
    ...{
      records: recordsOf(trie, links),
      symbolInto: trie.symbolInto,
      asciiStates: trie.asciiStates,
      roots,
      classes,
      first,
      flags,
      table,
    },
  }
}

/** The root behind a symbol: words that need an edge before them are looked for only where there is one. */
export const rootAfter = (goesOn: Uint8Array, symbol: number, roots: number): number =>
  roots > 1 && goesOn[symbol] === 1 ? 1 : 0

/** As many rows as are allowed and as lead nowhere farther than a row can name. */
function rowsOf({ asciiStates, parent }: WordTrie): number {
  let rows = Math.min(asciiStates, maxRows)
  // The first state that no row leads to; its distance falls with the rows.
  let end = asciiStates
  for (; ; rows -= 1) {
    while (end > rows && (parent[end - 1] ?? 0) >= rows) end -= 1
    if (end - rows <= far) return rows
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
  const { records, first, flags, roots, classes } = steps
  let state = from
  while (state >= roots) {
    if (state < steps.rowStates && symbol < steps.rowSymbols) return stepInRow(steps, state, symbol)
    const record = state << recordBits
    const only = records[record] ?? 0
    if (only === symbol) return records[record + 1] ?? 0
    const next = only === many ? nextOfMany(steps, state, symbol) : 0
    if (next > 0) return stepTo(flags, next)
    state = records[record + 2] ?? 0
  }
  return first[state * classes + symbol] ?? 0
}

function stepInRow(steps: Steps, state: number, symbol: number): number {
  const step = steps.rows[(state << steps.rowBits) | symbol] ?? 0
  return step < far ? step : stepToFar(steps, step)
}

/** The step that a row names with the bit for far states. */
export const stepToFar = ({ flags, rowStates }: Steps, named: number): number => stepTo(flags, named - far + rowStates)

/** The state that one of several symbols leads on to, 0 for none: the few letters of ASCII are looked through. */
function nextOfMany(steps: Steps, state: number, symbol: number): number {
  if (symbol >= steps.rowSymbols || state >= steps.asciiStates) return steps.table.get(state, symbol)
  const { records, symbolInto } = steps
  const from = records[(state << recordBits) + 1] ?? 0
  const to = from + (records[(state << recordBits) + 3] ?? 0)
  for (let next = from; next < to; next += 1) if (symbolInto[next] === symbol) return next
  return 0
}

/** Beyond the first letters nearly every state leads on to one other. */
function recordsOf({ states, roots, parent, symbolInto }: WordTrie, { failure, flags }: Links): Int32Array {
  const records = new Int32Array(states << recordBits)
  for (let state = roots; state < states; state += 1) {
    const from = (parent[state] ?? 0) << recordBits
    addTo(records, from, { state, symbol: symbolInto[state] ?? 0, step: stepTo(flags, state) })
    records[(state << recordBits) + 2] = failure[state] ?? 0
  }
  return records
}

function addTo(
  records: Int32Array,
  from: number,
  { state, symbol, step }: { state: number; symbol: number; step: number },
): void {
  const count = records[from + 3] ?? 0
  if (count === 0) {
    records[from] = symbol
    records[from + 1] = step
    records[from + 3] = 1
    return
  }
  if (records[from] !== many) records[from + 1] = (records[from + 1] ?? 0) >> flagBits
  records[from] = many
  // States reached by ASCII come first and without a gap.
  if (state === (records[from + 1] ?? 0) + count) records[from + 3] = count + 1
}

function fullRows(
  { asciiStates, roots, parent, symbolInto }: WordTrie,
  { failure, flags }: Links,
  { rowBits, rowStates, rootOf }: Pick<Steps, 'rowBits' | 'rowStates'> & { rootOf: (symbol: number) => number },
): Uint16Array {
  const rows = new Uint16Array(rowStates << rowBits)
  // A child comes after its parent, and a parent's row before all rows that copy from it.
  let child = roots
  for (let state = 0; state < rowStates; state += 1) {
    const suffix = failure[state] ?? 0
    if (state >= roots) rows.copyWithin(state << rowBits, suffix << rowBits, (suffix + 1) << rowBits)
    else
      rows.subarray(state << rowBits, (state + 1) << rowBits).forEach((_, symbol, row) => {
        row[symbol] = stepTo(flags, rootOf(symbol))
      })
    for (; child < asciiStates && parent[child] === state; child += 1)
      rows[(state << rowBits) | (symbolInto[child] ?? 0)] =
        child < rowStates ? stepTo(flags, child) : far | (child - rowStates)
  }
  return rows
}
