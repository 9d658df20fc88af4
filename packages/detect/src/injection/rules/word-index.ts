/**
 * The words of all rules, each once, with the places where rules use them, in flat tables.
 * Promises that a scan allocates nothing per word and can turn away most words by two numbers.
 * Tested through engine.test.ts.
 */
import { continuesWord } from './letters.ts'
import { isSlotRule, type Rule, type SlotRule } from './rule-kinds.ts'

/** Roles of a word in a rule. */
export const useKind = { first: 0, later: 1, anyOrder: 2, trigger: 3 } as const

/** Bits of `sides`: whether the word must end at a word's edge, or reaches to it, on either side. */
export const side = { edgeLeft: 1, edgeRight: 2, openLeft: 4, openRight: 8 } as const

export interface WordIndex {
  readonly words: readonly string[]
  /** Uses of word `w` are `usesFrom[w]` up to `usesFrom[w + 1]`. */
  readonly usesFrom: Int32Array
  /** By word: the edges that all its uses need, as bits of `side`. */
  readonly edgesOf: Uint8Array
  readonly ruleOf: Int32Array
  readonly kindOf: Uint8Array
  readonly sidesOf: Uint8Array
  /** Place of the slot among the slots of all rules. */
  readonly cellOf: Int32Array
  /** By rule: place of its first slot, and characters allowed between slots. */
  readonly cellsFrom: Int32Array
  readonly gapOf: Int32Array
}

const spacelessGap = 16
const defaultGap = 40
const spaceless: ReadonlySet<string> = new Set(['zh', 'ja', 'th', 'lo', 'km', 'my'])

const gapIn = (rule: SlotRule): number => rule.gap ?? (spaceless.has(rule.lang) ? spacelessGap : defaultGap)

interface Use {
  readonly rule: number
  readonly kind: number
  readonly sides: number
  readonly cell: number
}

/** Collects the words of all slots and triggers. */
export function indexWords(rules: readonly Rule[]): WordIndex {
  const uses = new Map<string, Use[]>()
  const cellsFrom = new Int32Array(rules.length + 1)
  rules.forEach((rule, index) => {
    const cells = cellsFrom[index] ?? 0
    cellsFrom[index + 1] = cells + (isSlotRule(rule) ? rule.slots.length : 0)
    for (const { word, ...use } of usesIn(rule, index, cells)) {
      const list = uses.get(word)
      if (list) list.push(use)
      else uses.set(word, [use])
    }
  })
  return {
    ...flattened(uses),
    cellsFrom,
    gapOf: Int32Array.from(rules, (rule) => (isSlotRule(rule) ? gapIn(rule) : 0)),
  }
}

function usesIn(rule: Rule, index: number, cells: number): (Use & { word: string })[] {
  if (!isSlotRule(rule))
    return [...new Set(rule.triggers)]
      .filter((word) => word !== '')
      .map((word) => ({ word, rule: index, kind: useKind.trigger, sides: 0, cell: 0 }))
  return rule.slots.flatMap((entries, slot) => {
    const kind = rule.order === 'any' ? useKind.anyOrder : slot === 0 ? useKind.first : useKind.later
    return [...new Set(entries)]
      .map((entry) => ({ ...readEntry(entry), rule: index, kind, cell: cells + slot }))
      .filter(({ word }) => word !== '')
  })
}

function readEntry(entry: string): { word: string; sides: number } {
  const openLeft = entry.startsWith('*')
  const openRight = entry.endsWith('*')
  const word = entry.slice(openLeft ? 1 : 0, openRight ? -1 : undefined)
  const left = openLeft ? side.openLeft : continuesWord(word.charCodeAt(0)) ? side.edgeLeft : 0
  const right = openRight ? side.openRight : continuesWord(word.charCodeAt(word.length - 1)) ? side.edgeRight : 0
  return { word, sides: left | right }
}

function flattened(uses: ReadonlyMap<string, readonly Use[]>): Omit<WordIndex, 'cellsFrom' | 'gapOf'> {
  const all = [...uses.values()].flat()
  const usesFrom = new Int32Array(uses.size + 1)
  let count = 0
  let word = 0
  for (const list of uses.values()) {
    count += list.length
    word += 1
    usesFrom[word] = count
  }
  return {
    words: [...uses.keys()],
    usesFrom,
    edgesOf: Uint8Array.from(uses.values(), (list) =>
      list.reduce((edges, { sides }) => edges & sides, side.edgeLeft | side.edgeRight),
    ),
    ruleOf: Int32Array.from(all, (use) => use.rule),
    kindOf: Uint8Array.from(all, (use) => use.kind),
    sidesOf: Uint8Array.from(all, (use) => use.sides),
    cellOf: Int32Array.from(all, (use) => use.cell),
  }
}
