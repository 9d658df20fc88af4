/** Time and chance as the client sees them; tests hand in their own. */
export interface Runtime {
  /** Unix milliseconds. */
  now(): number
  /** From 0 up to, but not including, 1. */
  random(): number
  /** Runs once after so many milliseconds; the function it answers cancels that. */
  after(ms: number, run: () => void): () => void
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits; an abort ends the wait at once. @throws the signal's reason */
export function wait(runtime: Pick<Runtime, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const onAbort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
