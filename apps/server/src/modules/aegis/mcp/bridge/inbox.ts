import type { Members } from '../wire/json-rpc.ts'

/** Messages that wait for their one reader. */
export interface Inbox {
  push(message: Members): void
  take(): Members | null
  /** Resolves with null once there is one. */
  filled(): Promise<null>
}

export function createInbox(): Inbox {
  const messages: Members[] = []
  let wake: (() => void) | null = null
  return {
    push: (message) => {
      messages.push(message)
      wake?.()
      wake = null
    },
    take: () => messages.shift() ?? null,
    filled: () =>
      messages.length > 0
        ? Promise.resolve(null)
        : new Promise((resolve) => {
            wake = () => resolve(null)
          }),
  }
}
