/**
 * A queue in turns over groups: first in, first out within a group, and one of each group after the
 * other, so that a group with a thousand waiting holds up another one's single waiter by one. Tested in turns.test.ts.
 */
export class Turns<T> {
  /** In the order of their turns; a group that was served goes to the end. */
  readonly #groups = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(group: string, item: T): void {
    const items = this.#groups.get(group)
    if (items === undefined) this.#groups.set(group, [item])
    else items.push(item)
    this.#size += 1
  }

  /** The first of the next group that may have one now. */
  next(may: (group: string) => boolean = () => true): T | undefined {
    for (const [group, items] of this.#groups) {
      if (!may(group)) continue
      const item = items.shift()
      this.#groups.delete(group)
      if (items.length > 0) this.#groups.set(group, items)
      this.#size -= 1
      return item
    }
    return undefined
  }

  remove(group: string, item: T): void {
    const items = this.#groups.get(group) ?? []
    const index = items.indexOf(item)
    if (index < 0) return
    items.splice(index, 1)
    this.#size -= 1
    if (items.length === 0) this.#groups.delete(group)
  }

  /** Everybody who waits; they then wait no more. */
  takeAll(): readonly T[] {
    const all = [...this.#groups.values()].flat()
    this.#groups.clear()
    this.#size = 0
    return all
  }
}
