/** An item of the order; it carries its own links, so using it allocates nothing. */
export interface Linked<Item> {
  older: Item | null
  newer: Item | null
}

/** Items from the one unused for longest to the latest used. Re-inserting into a Map would cost more than a decision. */
export class UseOrder<Item extends Linked<Item>> {
  #oldest: Item | null = null
  #newest: Item | null = null

  get oldest(): Item | null {
    return this.#oldest
  }

  /** Adds a new item as the latest used. */
  add(item: Item): void {
    item.older = this.#newest
    item.newer = null
    if (this.#newest === null) this.#oldest = item
    else this.#newest.newer = item
    this.#newest = item
  }

  /** Makes an item of the order the latest used. */
  use(item: Item): void {
    if (item === this.#newest) return
    this.remove(item)
    this.add(item)
  }

  remove(item: Item): void {
    if (item.older === null) this.#oldest = item.newer
    else item.older.newer = item.newer
    if (item.newer === null) this.#newest = item.older
    else item.newer.older = item.older
  }

  clear(): void {
    this.#oldest = null
    this.#newest = null
  }
}
