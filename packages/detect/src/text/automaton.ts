/** Finds every occurrence of every word in one pass over the text (Aho and Corasick, 1975). */
export interface Automaton {
  /** Calls back with the word's index and the end offset of each occurrence, in text order, until it returns false. */
  scan(text: string, onHit: (word: number, end: number) => boolean): void
}

/** Builds the automaton; matching costs one table look-up per character whatever the number of words. */
export function createAutomaton(words: readonly string[]): Automaton {
  const { classOf, classes } = alphabetOf(words)
  const states = 1 + words.reduce((sum, word) => sum + word.length, 0)
  const next = new Int32Array(states * classes)
  const outputs: number[][] = Array.from({ length: states }, () => [])
  insertWords(words, { next, outputs, classOf, classes })
  linkFailures({ next, outputs, classOf, classes })

  return {
    scan: (text, onHit) => {
      let state = 0
      for (let i = 0; i < text.length; i += 1) {
        state = next[state * classes + (classOf[text.charCodeAt(i)] ?? 0)] ?? 0
        if (state === 0) continue
        for (const word of outputs[state] ?? []) if (!onHit(word, i + 1)) return
      }
    },
  }
}

interface Tables {
  readonly next: Int32Array
  readonly outputs: number[][]
  readonly classOf: Uint16Array
  readonly classes: number
}

/** Class 0 stands for every character that occurs in no word. */
function alphabetOf(words: readonly string[]): { classOf: Uint16Array; classes: number } {
  const classOf = new Uint16Array(0x10000)
  let classes = 1
  for (const word of words) {
    for (let i = 0; i < word.length; i += 1) {
      const code = word.charCodeAt(i)
      if (classOf[code] === 0) classOf[code] = classes++
    }
  }
  return { classOf, classes }
}

function insertWords(words: readonly string[], { next, outputs, classOf, classes }: Tables): void {
  let created = 0
  words.forEach((word, index) => {
    let state = 0
    for (let i = 0; i < word.length; i += 1) {
      const slot = state * classes + (classOf[word.charCodeAt(i)] ?? 0)
      if (next[slot] === 0) next[slot] = ++created
      state = next[slot] ?? 0
    }
    outputs[state]?.push(index)
  })
}

/** Breadth first: a missing step is filled from the longest proper suffix, whose row is complete by then. */
function linkFailures({ next, outputs, classes }: Tables): void {
  const failure = new Int32Array(outputs.length)
  const queue: number[] = []
  for (let c = 0; c < classes; c += 1) if (next[c]) queue.push(next[c] ?? 0)
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] ?? 0
    const suffix = failure[state] ?? 0
    outputs[state]?.push(...(outputs[suffix] ?? []))
    for (let c = 0; c < classes; c += 1) {
      const slot = state * classes + c
      const through = next[suffix * classes + c] ?? 0
      if (next[slot]) {
        failure[next[slot] ?? 0] = through
        queue.push(next[slot] ?? 0)
      } else next[slot] = through
    }
  }
}
