/**
 * Holds the words of a text back by two blocks, until it is known which rules may hold there.
 * Promises every word once, in the order of their ends. Tested through engine.test.ts.
 */
import type { LiveRules } from './live-rules.ts'

export interface Blocks {
  /** Takes the next word; false once the visitor has had enough. */
  add(word: number, end: number): boolean
  /** Gives out what is left. */
  end(): void
}

type Visit = (word: number, end: number) => boolean

/** Gives words on to `visit` until it returns false. */
export function createBlocks(live: LiveRules, visit: Visit): Blocks {
  let held = createList()
  let current = createList()
  let blockEnd = live.blockSize
  let open = true

  const endBlock = (): void => {
    live.endBlock()
    open = open && each(held, visit)
    const emptied = held
    held = current
    current = emptied
    current.length = 0
    blockEnd += live.blockSize
  }

  return {
    add: (word, end) => {
      while (open && end > blockEnd) endBlock()
      push(current, word, end)
      live.note(word)
      return open
    },
    end: () => {
      // The first call gives out the last full block, the second the one after it.
      if (open) endBlock()
      if (open) endBlock()
    },
  }
}

interface List {
  items: Int32Array
  length: number
}

const fewWords = 256

const createList = (): List => ({ items: new Int32Array(fewWords * 2), length: 0 })

function push(list: List, word: number, end: number): void {
  if (list.length === list.items.length) {
    const larger = new Int32Array(list.length * 2)
    larger.set(list.items)
    list.items = larger
  }
  list.items[list.length] = word
  list.items[list.length + 1] = end
  list.length += 2
}

function each({ items, length }: List, visit: Visit): boolean {
  for (let i = 0; i < length; i += 2) if (!visit(items[i] ?? 0, items[i + 1] ?? 0)) return false
  return true
}
