/** Binary heap of items by a comparison. */
export interface Candidates<Item> {
  readonly push: (item: Item) => void
  /** Removes the first item in the order; null while empty. */
  readonly pop: () => Item | null
}

export function createCandidates<Item>(compare: (a: Item, b: Item) => number): Candidates<Item> {
  const heap: Item[] = []

  function swapIfBefore(child: number, parent: number): boolean {
    const [below, above] = [heap[child], heap[parent]]
    if (below === undefined || above === undefined || compare(below, above) >= 0) return false
    heap[child] = above
    heap[parent] = below
    return true
  }

  function smallerChild(place: number): number {
    const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
    return left !== undefined && right !== undefined && compare(right, left) < 0 ? 2 * place + 2 : 2 * place + 1
  }

  return {
    push: (item) => {
      let place = heap.push(item) - 1
      while (place > 0 && swapIfBefore(place, (place - 1) >> 1)) place = (place - 1) >> 1
    },
    pop: () => {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined) return null
      if (heap.length === 0) return first
      heap[0] = last
      for (let place = 0, child = smallerChild(0); swapIfBefore(child, place); child = smallerChild(place))
        place = child
      return first
    },
  }
}
