import type { LocalParts } from './adapter.ts'

/** Waits on the kernel's clock; ends early when the call is aborted. */
export function pause(ms: number, { clock, signal }: LocalParts): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = (): void => {
      timer.stop()
      reject(signal.reason)
    }
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
