/** Counts running calls by key, in this process. */
export interface Concurrency {
  /** Takes a slot under every key or under none; returns a function that releases them, or the key that is full. */
  enter(wanted: readonly { readonly key: string; readonly max: number }[]): (() => void) | { readonly full: number }
}

export function createConcurrency(): Concurrency {
  const inside = new Map<string, number>()
  const leave = (key: string): void => {
    const left = (inside.get(key) ?? 1) - 1
    if (left > 0) inside.set(key, left)
    else inside.delete(key)
  }
  return {
    enter: (wanted) => {
      const full = wanted.findIndex(({ key, max }) => (inside.get(key) ?? 0) >= max)
      if (full >= 0) return { full }
      for (const { key } of wanted) inside.set(key, (inside.get(key) ?? 0) + 1)
      return () => {
        for (const { key } of wanted) leave(key)
      }
    },
  }
}
