import { vi } from 'vitest'

/** Does the work while the wall clock stands still, so that what is gathered by hours and days lies in one of each. */
export async function atOneMoment<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}
