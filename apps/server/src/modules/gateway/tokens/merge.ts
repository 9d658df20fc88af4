/**
 * Byte pair merging of one piece of text. Libraries look through all pairs for the next one each time, which takes minutes
 * for a megabyte without a border, such as a run of one letter; a heap takes a second. Promises the same count. Tested in
 * count-task.test.ts against the library's own merge.
 */

/** The rank of the token that these bytes are; undefined when they are none. */
export type RankOf = (from: number, to: number) => number | undefined

/** Places are below it, so that a rank and a place fit into one exact number, and lower ones come first. */
const places = 2 ** 24

/** Tokens of a piece of so many bytes. */
export function countMerged(length: number, rankOf: RankOf): number {
  if (length >= places) throw new RangeError(`A piece of ${length} bytes is too long to be counted`)
  const next = Int32Array.from({ length: length + 1 }, (_, at) => at + 1)
  const before = Int32Array.from({ length: length + 1 }, (_, at) => at - 1)
  const ranks = new Float64Array(length).fill(noPair)
  const heap = createHeap()
  const look = (at: number): void => {
    const middle = next[at] ?? length
    const rank = middle >= length ? undefined : rankOf(at, next[middle] ?? length)
    ranks[at] = rank ?? noPair
    if (rank !== undefined) heap.push(rank * places + at)
  }
  for (let at = 0; at < length; at += 1) look(at)
  let count = length
  for (let lowest = heap.pop(); lowest !== undefined; lowest = heap.pop()) {
    const at = lowest % places
    // Pairs whose halves have been merged meanwhile are left in the heap, and passed over here.
    if (ranks[at] !== (lowest - at) / places) continue
    const middle = next[at] ?? length
    const end = next[middle] ?? length
    ranks[middle] = noPair
    next[at] = end
    before[end] = at
    count -= 1
    look(at)
    const previous = before[at] ?? -1
    if (previous >= 0) look(previous)
  }
  return count
}

const noPair = Number.POSITIVE_INFINITY

/** Smallest first. */
function createHeap() {
  const items: number[] = []
  const at = (index: number): number => items[index] ?? noPair
  return {
    push: (value: number): void => {
      let index = items.length
      for (let parent = (index - 1) >> 1; index > 0 && at(parent) > value; parent = (index - 1) >> 1) {
        items[index] = at(parent)
        index = parent
      }
      items[index] = value
    },
    pop: (): number | undefined => {
      const [top] = items
      const value = items.pop()
      if (value === undefined || items.length === 0) return top
      let index = 0
      for (;;) {
        const left = 2 * index + 1
        const child = at(left + 1) < at(left) ? left + 1 : left
        if (at(child) >= value) break
        items[index] = at(child)
        index = child
      }
      items[index] = value
      return top
    },
  }
}
