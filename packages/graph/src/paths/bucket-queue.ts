import { createIndexedHeap } from '@parapet/quant'

/** Nodes by their distances, nearest first; of equal distances the lower number. */
export interface BucketQueue {
  /** Adds a node, or moves it after its distance fell. */
  readonly set: (node: number) => void
  /** Removes the nearest node; -1 while empty. */
  readonly pop: () => number
}

/** A power of two, so that a bucket is found by a mask. */
const buckets = 4_096
const mask = buckets - 1

/** Linked lists of nodes, one for each bucket of the ring. A node is in one list at most. */
function createRing(nodes: number) {
  const first = new Int32Array(buckets).fill(-1)
  const next = new Int32Array(nodes)
  const previous = new Int32Array(nodes)
  /** Bucket in which a node waits; -1 for none. */
  const places = new Int32Array(nodes).fill(-1)
  const filled = new Int32Array(buckets >> 5)
  return {
    first,
    places,
    leave: (node: number): void => {
      const bucket = places[node] ?? 0
      const [before, after] = [previous[node] ?? -1, next[node] ?? -1]
      if (before >= 0) next[before] = after
      else first[bucket] = after
      if (after >= 0) previous[after] = before
      if (first[bucket] === -1) filled[bucket >> 5] = (filled[bucket >> 5] ?? 0) & ~(1 << (bucket & 31))
      places[node] = -1
    },
    enter: (node: number, bucket: number): void => {
      const after = first[bucket] ?? -1
      next[node] = after
      previous[node] = -1
      if (after >= 0) previous[after] = node
      else filled[bucket >> 5] = (filled[bucket >> 5] ?? 0) | (1 << (bucket & 31))
      first[bucket] = node
      places[node] = bucket
    },
    /** The next filled bucket from one on, round the ring; there is one. */
    nextFrom: (bucket: number): number => {
      let word = bucket >> 5
      // Buckets before this one in its word are those of a round later.
      let bits = (filled[word] ?? 0) & (-1 << (bucket & 31))
      while (bits === 0) {
        word = (word + 1) & (filled.length - 1)
        bits = filled[word] ?? 0
      }
      return (word << 5) + (31 - Math.clz32(bits & -bits))
    },
  }
}

/**
 * Queue of a search in which no distance is set below the last one that left, nor further beyond it than the longest step.
 * Nodes wait in a ring of buckets as linked lists, and only those of the nearest bucket are put in order by a heap: almost
 * every node is written and read once instead of rising and sinking through a heap of all (the idea of the hot queue,
 * Cherkassky, Goldberg and Silverstein 1999). The order is exactly that of one heap.
 *
 * @param distances read when a node is set; they fall in place
 * @param longest longest step of the search, 0 or more
 */
export function createBucketQueue(distances: Float64Array, longest: number): BucketQueue {
  // Half of the ring is the longest step, so that a distance never comes round to the bucket that is open. Where this is
  // infinite, every node is in bucket 0 and the heap does all.
  const perLength = buckets / 2 / longest
  const heap = createIndexedHeap(distances.length)
  const { first, places, leave, enter, nextFrom } = createRing(distances.length)
  let [open, waiting] = [0, 0]

  function openNext(): void {
    open = nextFrom(open)
    for (let node = first[open] ?? -1; node >= 0; node = first[open] ?? -1) {
      leave(node)
      waiting -= 1
      heap.set(node, distances[node] ?? 0)
    }
  }

  return {
    set: (node) => {
      const distance = distances[node] ?? 0
      const bucket = (distance * perLength) & mask
      const place = places[node] ?? -1
      if (place === bucket) return
      if (place >= 0) {
        leave(node)
        waiting -= 1
      }
      if (bucket === open) heap.set(node, distance)
      else {
        enter(node, bucket)
        waiting += 1
      }
    },
    pop: () => {
      if (heap.size() === 0 && waiting > 0) openNext()
      return heap.pop()
    },
  }
}
