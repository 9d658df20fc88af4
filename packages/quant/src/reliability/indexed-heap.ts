/**
 * Priority queue with one key per slot, for example the time of the next event of a component or the distance of a node,
 * in a 4-ary heap of typed arrays. Equal keys leave in the order of their slots, so that a result never depends on the
 * order of insertion.
 */
export interface IndexedHeap {
  /** Number of slots in the queue. */
  readonly size: () => number
  /** Sets or changes the key of a slot. */
  readonly set: (slot: number, key: number) => void
  /** Removes a slot, if it is in the queue. */
  readonly remove: (slot: number) => void
  /** Smallest key; infinity while empty. */
  readonly minimum: () => number
  /** Removes the slot with the smallest key and returns it; -1 while empty. */
  readonly pop: () => number
  readonly clear: () => void
}

const arity = 4

/** Creates an empty queue for the slots 0 to `slots` − 1. */
export function createIndexedHeap(slots: number): IndexedHeap {
  const keys = new Float64Array(slots)
  const heap = new Int32Array(slots)
  const places = new Int32Array(slots).fill(-1)
  let size = 0

  function isBefore(a: number, b: number): boolean {
    const first = keys[a] ?? 0
    const second = keys[b] ?? 0
    return first < second || (first === second && a < b)
  }

  function put(place: number, slot: number): void {
    heap[place] = slot
    places[slot] = place
  }

  function rise(from: number, slot: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 2
      const other = heap[parent] ?? 0
      if (!isBefore(slot, other)) break
      put(place, other)
      place = parent
    }
    put(place, slot)
  }

  function sink(from: number, slot: number): void {
    let place = from
    for (;;) {
      const first = place * arity + 1
      if (first >= size) break
      let smallest = first
      const end = Math.min(first + arity, size)
      for (let child = first + 1; child < end; child++) {
        if (isBefore(heap[child] ?? 0, heap[smallest] ?? 0)) smallest = child
      }
      const other = heap[smallest] ?? 0
      if (!isBefore(other, slot)) break
      put(place, other)
      place = smallest
    }
    put(place, slot)
  }

  function set(slot: number, key: number): void {
    const place = places[slot] ?? -1
    const rises = place >= 0 && key < (keys[slot] ?? 0)
    keys[slot] = key
    if (place < 0) rise(size++, slot)
    else if (rises) rise(place, slot)
    else sink(place, slot)
  }

  function remove(slot: number): void {
    const place = places[slot] ?? -1
    if (place < 0) return
    places[slot] = -1
    const last = heap[--size] ?? 0
    if (last === slot) return
    rise(place, last)
    sink(places[last] ?? 0, last)
  }

  return {
    size: () => size,
    set,
    remove,
    minimum: () => (size === 0 ? Number.POSITIVE_INFINITY : (keys[heap[0] ?? 0] ?? 0)),
    pop: () => {
      if (size === 0) return -1
      const slot = heap[0] ?? 0
      remove(slot)
      return slot
    },
    clear: () => {
      for (let place = 0; place < size; place++) places[heap[place] ?? 0] = -1
      size = 0
    },
  }
}
