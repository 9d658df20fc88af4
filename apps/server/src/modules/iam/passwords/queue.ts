import { apiErrors } from '../../../kernel/errors/errors.ts'

/** Runs costly work a few at a time, so that hashing never starves what else the process waits for. */
export interface HashQueue {
  /** @throws API-009 with `Retry-After` when too many are waiting already */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createHashQueue(bounds: { readonly inFlight: number; readonly waiting: number }): HashQueue {
  const waiting: (() => void)[] = []
  let inFlight = 0

  const enter = (): Promise<void> | undefined => {
    if (inFlight < bounds.inFlight) {
      inFlight += 1
      return undefined
    }
    if (waiting.length >= bounds.waiting) {
      throw apiErrors
        .unavailable({ what: 'Too many sign-ins at once. Try again in a second.' })
        .withHeaders({ 'retry-after': '1' })
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  // The place of one that leaves is handed to the next in line, so the count stays as it is.
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) inFlight -= 1
    else next()
  }

  return {
    run: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
