/** Numbers 0, 1, 2, … for names, in the order of their first occurrence. */
export interface NodeIndex {
  /** Number of a name, which gets the next one if it is new. */
  readonly add: (name: string) => number
  /** Number of a known name, else null. */
  readonly find: (name: string) => number | null
  readonly nameOf: (node: number) => string
  readonly size: () => number
}

export function createNodeIndex(): NodeIndex {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    add: (name) => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, names.length)
      return names.push(name) - 1
    },
    find: (name) => numbers.get(name) ?? null,
    nameOf: (node) => {
      const name = names[node]
      if (name === undefined) throw new RangeError(`Unknown node ${node}`)
      return name
    },
    size: () => names.length,
  }
}
