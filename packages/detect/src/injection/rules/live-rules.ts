/**
 * Which rules can hold in which part of a text: those that have a word of every slot in two neighboring blocks. A
 * block is longer than any chain of words, so words of other rules need no further look.
 * Promises to leave out no rule that may hold. Tested through engine.test.ts.
 */
import { useKind, type WordIndex } from './word-index.ts'

export interface LiveRules {
  /** Characters in a block. */
  readonly blockSize: number
  /** Begins a text. */
  begin(): void
  /** Notes a word that occurs in the current block. */
  note(word: number): void
  /** Ends the current block, after which the block before it can be asked about. */
  endBlock(): void
  /** Whether a rule may have words in the block before the current one. */
  isLive(rule: number): boolean
  /** Whether any rule that uses the word is live in that block. */
  hasLiveUse(word: number): boolean
}

// The longest word, with room for two wildcards, and some to spare.
const longestWord = 128
const leastBlock = 1024

/** Follows one text at a time; its tables are reused for the next. */
export function createLiveRules({ usesFrom, ruleOf, kindOf, cellOf, cellsFrom, gapOf, words }: WordIndex): LiveRules {
  const rules = gapOf.length
  const longest = words.reduce((most, word) => Math.max(most, word.length), longestWord)
  const widest = gapOf.reduce((most, gap, rule) => {
    const slots = (cellsFrom[rule + 1] ?? 0) - (cellsFrom[rule] ?? 0)
    return Math.max(most, slots * (gap + longest))
  }, leastBlock)
  // Blocks are numbered through all texts, so that nothing has to be cleared between them.
  const cellSeen = new Int32Array(cellsFrom[rules] ?? 0)
  const wordSeen = new Int32Array(words.length)
  const wordDead = new Int32Array(words.length)
  const liveUntil = new Int32Array(rules)
  const ruleSeen = new Int32Array(rules)
  let block = 2
  // Only rules that have a word in the current block or the one before it can hold there.
  let current = createRuleList(rules)
  let before = createRuleList(rules)

  const holdsAll = (rule: number): boolean => {
    const to = cellsFrom[rule + 1] ?? 0
    let cell = cellsFrom[rule] ?? 0
    while (cell < to && (cellSeen[cell] ?? 0) >= block - 1) cell += 1
    return cell === to
  }
  const isLive = (rule: number): boolean => (liveUntil[rule] ?? 0) >= block - 2
  const wake = ({ items, length }: RuleList): void => {
    for (let i = 0; i < length; i += 1) if (holdsAll(items[i] ?? 0)) liveUntil[items[i] ?? 0] = block
  }
  // Patterns have no slots and are live everywhere.
  const wakePatterns = (): void => {
    for (let rule = 0; rule < rules; rule += 1) if (cellsFrom[rule] === cellsFrom[rule + 1]) liveUntil[rule] = always
  }
  wakePatterns()

  return {
    blockSize: widest,
    begin: () => {
      block += 4
      current.length = 0
      before.length = 0
      if (block < lastBlock) return
      for (const table of [cellSeen, wordSeen, wordDead, liveUntil, ruleSeen]) table.fill(0)
      wakePatterns()
      block = 2
    },
    note: (word) => {
      if (wordSeen[word] === block) return
      wordSeen[word] = block
      for (let use = usesFrom[word] ?? 0; use < (usesFrom[word + 1] ?? 0); use += 1) {
        if (kindOf[use] === useKind.trigger) continue
        const rule = ruleOf[use] ?? 0
        cellSeen[cellOf[use] ?? 0] = block
        if (ruleSeen[rule] === block) continue
        ruleSeen[rule] = block
        current.items[current.length] = rule
        current.length += 1
      }
    },
    endBlock: () => {
      wake(before)
      wake(current)
      const emptied = before
      before = current
      current = emptied
      current.length = 0
      block += 1
    },
    isLive,
    hasLiveUse: (word) => {
      if (wordDead[word] === block) return false
      for (let use = usesFrom[word] ?? 0; use < (usesFrom[word + 1] ?? 0); use += 1)
        if (isLive(ruleOf[use] ?? 0)) return true
      wordDead[word] = block
      return false
    },
  }
}

interface RuleList {
  readonly items: Int32Array
  length: number
}

const createRuleList = (rules: number): RuleList => ({ items: new Int32Array(rules), length: 0 })

// Beyond the number of every block.
const always = 0x7fffffff

// Far below the largest 32-bit number, so that no single text can pass it.
const lastBlock = 0x70000000
