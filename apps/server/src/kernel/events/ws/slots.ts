/** Runs at most `size` works at a time; the others wait in line. */
export function createSlots(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = size
  const take = (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async (work) => {
    await take()
    try {
      return await work()
    } finally {
      giveBack()
    }
  }
}
