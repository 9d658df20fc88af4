/**
 * A tree of words in flat arrays: nodes are numbers, and one probe of a hash table is a step.
 * Promises the steps of the words it was made from; knows nothing of text. Tested through lexicon.test.ts.
 */

/** A word as folded units, and whether it may go on. */
export interface Entry {
  readonly units: readonly number[]
  readonly isOpen: boolean
  readonly topic: string
}

export interface PackedTree {
  /** Node after a step, 0 for none; the root is 1. */
  next(node: number, code: number): number
  /** Topics of words that end at a node and may go on; of all words that end there. */
  readonly open: readonly (ReadonlySet<string> | undefined)[]
  readonly all: readonly (ReadonlySet<string> | undefined)[]
  /** Whether a word may begin with two units; sometimes true of two that none begins with, never the other way. */
  mayBegin(first: number, second: number): boolean
}

interface Node {
  readonly id: number
  readonly next: Map<number, Node>
  open: Set<string> | undefined
  all: Set<string> | undefined
}

/** Builds the tree; node numbers stay below 32768, so that a node and a unit are one small integer. */
export function packTree(entries: Iterable<Entry>): PackedTree {
  const nodes: Node[] = []
  const created = (): Node => {
    const node: Node = { id: nodes.length + 1, next: new Map(), open: undefined, all: undefined }
    nodes.push(node)
    return node
  }
  const root = created()
  for (const entry of entries) insert(root, entry, created)
  const open: (ReadonlySet<string> | undefined)[] = [undefined]
  const all: (ReadonlySet<string> | undefined)[] = [undefined]
  for (const node of nodes) {
    open.push(node.open)
    all.push(node.all)
  }
  return { next: stepsOf(nodes), open, all, mayBegin: filterOf(root) }
}

function insert(root: Node, { units, isOpen, topic }: Entry, created: () => Node): void {
  let node = root
  for (const code of units) {
    const next = node.next.get(code) ?? created()
    node.next.set(code, next)
    node = next
  }
  if (isOpen) {
    node.open ??= new Set()
    node.open.add(topic)
  }
  node.all ??= new Set()
  node.all.add(topic)
}

// Knuth's multiplicative constant, 2^32 divided by the golden ratio.
const spread = 0x9e3779b1

function stepsOf(nodes: readonly Node[]): PackedTree['next'] {
  const bits = Math.ceil(Math.log2(nodes.length * 2 + 1))
  const mask = (1 << bits) - 1
  const shift = 32 - bits
  const keys = new Int32Array(mask + 1)
  const targets = new Uint16Array(mask + 1)
  for (const { id, next } of nodes) {
    for (const [code, target] of next) {
      const key = (id << 16) | code
      let slot = Math.imul(key, spread) >>> shift
      while (keys[slot] !== 0) slot = (slot + 1) & mask
      keys[slot] = key
      targets[slot] = target.id
    }
  }
  return (node, code) => {
    const key = (node << 16) | code
    for (let slot = Math.imul(key, spread) >>> shift; ; slot = (slot + 1) & mask) {
      const found = keys[slot]
      if (found === key) return targets[slot] ?? 0
      if (found === 0) return 0
    }
  }
}

const pairBits = 15

/** A pair is refused only when no word can begin with it, with any continuation. */
function filterOf(root: Node): PackedTree['mayBegin'] {
  const pairs = new Uint8Array(1 << pairBits)
  const alone = new Uint8Array(0x10000)
  const slotOf = (first: number, second: number): number =>
    Math.imul((first << 16) | second, spread) >>> (32 - pairBits)
  for (const [first, node] of root.next) {
    alone[first] = node.all === undefined ? 1 : 2
    const blank = node.next.get(32)
    for (const second of [...node.next.keys(), ...(blank?.next.keys() ?? [])]) pairs[slotOf(first, second)] = 1
  }
  return (first, second) => alone[first] === 2 || (alone[first] === 1 && pairs[slotOf(first, second)] === 1)
}
