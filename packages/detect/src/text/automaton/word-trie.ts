/**
 * The tree of all prefixes of a word list, kept in flat arrays and one hash table; with edges two trees side by side: state
 * 0 is the root for words that begin where no word of the text goes on, state 1 for words that may begin inside one.
 * Promises about 20 bytes per state; states are numbered breadth first, those that ASCII alone leads to before the others. Tested through automaton.test.ts.
 */
export interface WordTrie {
  readonly states: number
  /** One or two: states below this number are roots. */
  readonly roots: number
  /** States below this number are reached by ASCII alone. */
  readonly asciiStates: number
  readonly steps: StepTable
  /** Per state: where it was reached from, and by which character class. */
  readonly parent: Int32Array
  readonly symbolInto: Uint16Array
  /** First word that ends in each state, plus one; words spelled the same follow through `nextSame`. */
  readonly wordAt: Int32Array
  readonly nextSame: Int32Array
}

/** Class of every UTF-16 unit; the first two stand for units that occur in no word of the list: edges, and others. */
export interface Alphabet {
  readonly classOf: Uint16Array
  readonly classes: number
  /** Classes below this number are the first two and those of ASCII. */
  readonly asciiClasses: number
  /** By class: 1 where a word of the text goes on. */
  readonly goesOn: Uint8Array
}

/** One spelling for whitespace and for apostrophes, so that a line break or a typeset quote splits no phrase. */
export const folded = (word: string): string => word.replace(/[\t-\r]/g, ' ').replace(/[\u2018\u2019\u02bc]/g, "'")

/** The same for one unit. */
export const foldedUnit = (code: number): number =>
  code >= 9 && code <= 13 ? 32 : code === 0x2018 || code === 0x2019 || code === 0x2bc ? 39 : code

const sameAs: readonly (readonly [code: number, like: number])[] = [
  ...[9, 10, 11, 12, 13].map((code) => [code, 32] as const),
  ...[0x2018, 0x2019, 0x2bc].map((code) => [code, 39] as const),
]

/** Numbers the units of folded words: ASCII first, the most frequent lowest, so that what is met often lies together. */
export function alphabetOf(words: readonly string[], continues: Uint8Array): Alphabet {
  const counts = new Uint32Array(0x10000)
  for (const word of words)
    for (let i = 0; i < word.length; i += 1) counts[word.charCodeAt(i)] = (counts[word.charCodeAt(i)] ?? 0) + 1
  const ascii: number[] = []
  const others: number[] = []
  counts.forEach((count, code) => {
    if (count > 0) (code < 128 ? ascii : others).push(code)
  })
  ascii.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
  const classOf = Uint16Array.from(continues)
  let classes = unlisted
  for (const code of [...ascii, ...others]) classOf[code] = classes++
  for (const [code, like] of sameAs) classOf[code] = classOf[like] ?? 0
  // Where two spellings of a class disagree, words are looked for behind both.
  const goesOn = new Uint8Array(classes).fill(1)
  classOf.forEach((symbol, code) => {
    if (continues[code] !== 1) goesOn[symbol] = 0
  })
  return { classOf, classes, asciiClasses: ascii.length + unlisted, goesOn }
}

/** Classes of units that occur in no word. */
const unlisted = 2

/**
 * Builds the tree of folded words level by level from their sorted order; an empty word is left out. `startsInside` makes
 * a second tree of the words for which it holds.
 */
export function buildTrie(
  words: readonly string[],
  { classOf, classes }: Alphabet,
  startsInside: ((word: number) => boolean) | null,
): WordTrie {
  const sorted = words.map((_, i) => i).filter((i) => words[i] !== '')
  sorted.sort((a, b) => compare(words[a] ?? '', words[b] ?? ''))
  const inside = startsInside === null ? [] : sorted.filter(startsInside)
  const order = [...sorted, ...inside]
  const trie = emptyTrie(
    order.map((i) => words[i] ?? ''),
    { words: words.length, classes },
  )
  let states = 0
  const visit = (span: Span, depth: number, place: (child: Span, code: number) => void): void => {
    const { from, to } = span
    const state = states++
    if (depth > 0) addStep(trie, { from: span.parent, symbol: span.symbol, to: state })
    let i = from
    for (; i < to && words[order[i] ?? 0]?.length === depth; i += 1)
      if (from < sorted.length) addWord(trie, state, order[i] ?? 0)
    while (i < to) {
      const code = words[order[i] ?? 0]?.charCodeAt(depth) ?? 0
      const first = i
      while (i < to && words[order[i] ?? 0]?.charCodeAt(depth) === code) i += 1
      place({ parent: state, symbol: classOf[code] ?? 0, from: first, to: i }, code)
    }
  }
  const root = { parent: 0, symbol: 0, from: 0, to: sorted.length }
  const second = { parent: 0, symbol: 0, from: sorted.length, to: order.length }
  const tops = startsInside === null ? [root] : [root, second]
  const outside = visitAscii(tops, visit)
  const asciiStates = states
  visitLevels(outside, visit)
  const built = { ...trie, states, asciiStates, roots: tops.length }
  if (tops.length > 1) shareWords(built)
  return built
}

/** The words that end in a state of the second tree are those of its twin in the first; their readers follow edges. */
function shareWords({ states, roots, parent, symbolInto, steps, wordAt }: WordTrie): void {
  const twin = new Int32Array(states)
  for (let state = roots; state < states; state += 1) {
    const from = parent[state] ?? 0
    const isSecond = from === 1 || (twin[from] ?? 0) > 0
    if (!isSecond) continue
    twin[state] = steps.get(from === 1 ? 0 : (twin[from] ?? 0), symbolInto[state] ?? 0)
    wordAt[state] = wordAt[twin[state] ?? 0] ?? 0
  }
}

type Visit = (span: Span, depth: number, place: (child: Span, code: number) => void) => void

/** Visits everything that ASCII leads to; answers the other branches by depth. */
function visitAscii(roots: readonly Span[], visit: Visit): Span[][] {
  const outside: Span[][] = []
  let level = [...roots]
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: Span[] = []
    const others: Span[] = []
    for (const span of level) visit(span, depth, (child, code) => (code < 128 ? below : others).push(child))
    outside[depth + 1] = others
    level = below
  }
  return outside
}

function visitLevels(levels: readonly Span[][], visit: Visit): void {
  let carried: Span[] = []
  for (let depth = 1; depth < levels.length || carried.length > 0; depth += 1) {
    const level = [...carried, ...(levels[depth] ?? [])]
    carried = []
    for (const span of level) visit(span, depth, (child) => carried.push(child))
  }
}

/** Words that share a prefix. */
interface Span {
  /** State of the prefix without its last character, and the class of that character. */
  readonly parent: number
  readonly symbol: number
  /** Range of the sorted words. */
  readonly from: number
  readonly to: number
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type Unnumbered = Omit<WordTrie, 'states' | 'asciiStates' | 'roots'>

function emptyTrie(placed: readonly string[], { words, classes }: { words: number; classes: number }): Unnumbered {
  const most = 2 + placed.reduce((sum, word) => sum + word.length, 0)
  return {
    steps: createStepTable(most, classes),
    parent: new Int32Array(most),
    symbolInto: new Uint16Array(most),
    wordAt: new Int32Array(most),
    nextSame: new Int32Array(words + 1),
  }
}

function addWord({ wordAt, nextSame }: Unnumbered, state: number, word: number): void {
  nextSame[word + 1] = wordAt[state] ?? 0
  wordAt[state] = word + 1
}

function addStep(trie: Unnumbered, { from, symbol, to }: { from: number; symbol: number; to: number }) {
  trie.steps.set(from, symbol, to)
  trie.parent[to] = from
  trie.symbolInto[to] = symbol
}

/** Next state by state and class; 0 where there is none. */
export interface StepTable {
  get(state: number, symbol: number): number
  set(state: number, symbol: number, next: number): void
}

// Fibonacci hashing: the odd number nearest 2^32 divided by the golden ratio spreads consecutive keys evenly.
const spread = 0x9e3779b1

function createStepTable(most: number, classes: number): StepTable {
  const bits = Math.ceil(Math.log2(most * 2 + 2))
  const mask = (1 << bits) - 1
  const shift = 32 - bits
  // Key 0 is the root's step by class 0, which no word has: it marks an empty place.
  const keys = new Uint32Array(mask + 1)
  const values = new Int32Array(mask + 1)
  const placeOf = (key: number): number => {
    let place = Math.imul(key, spread) >>> shift
    while (keys[place] !== key && keys[place] !== 0) place = (place + 1) & mask
    return place
  }
  return {
    get: (state, symbol) => values[placeOf(state * classes + symbol)] ?? 0,
    set: (state, symbol, next) => {
      const place = placeOf(state * classes + symbol)
      keys[place] = state * classes + symbol
      values[place] = next
    },
  }
}
