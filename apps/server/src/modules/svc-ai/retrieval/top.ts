/** The best of many by a score, without sorting them all; of equals the one that came first. Tested in search.test.ts. */
interface Entry<T> {
  readonly score: number
  readonly order: number
  readonly item: T
}

const isWorse = <T>(a: Entry<T>, b: Entry<T>): boolean =>
  a.score < b.score || (a.score === b.score && a.order > b.order)

export class Top<T> {
  readonly #size: number
  /** A heap whose first is the worst. */
  readonly #heap: Entry<T>[] = []
  #order = 0

  constructor(size: number) {
    this.#size = size
  }

  /** Whether something of this score would be kept. */
  takes(score: number): boolean {
    return this.#heap.length < this.#size || score > (this.#heap[0]?.score ?? 0)
  }

  add(score: number, item: T): void {
    if (!this.takes(score)) return
    const entry = { score, order: this.#order, item }
    this.#order += 1
    if (this.#heap.length < this.#size) {
      this.#heap.push(entry)
      this.#rise(this.#heap.length - 1)
    } else {
      this.#heap[0] = entry
      this.#sink()
    }
  }

  /** Best first. */
  sorted(): T[] {
    return [...this.#heap].sort((a, b) => b.score - a.score || a.order - b.order).map(({ item }) => item)
  }

  #rise(from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swappedIfWorse(index, parent)) return
      index = parent
    }
  }

  #sink(): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const [a, b] = [this.#heap[left], this.#heap[right]]
      if (a === undefined) return
      const child = b !== undefined && isWorse(b, a) ? right : left
      if (!this.#swappedIfWorse(child, index)) return
      index = child
    }
  }

  #swappedIfWorse(child: number, parent: number): boolean {
    const [a, b] = [this.#heap[child], this.#heap[parent]]
    if (a === undefined || b === undefined || !isWorse(a, b)) return false
    this.#heap[child] = b
    this.#heap[parent] = a
    return true
  }
}
