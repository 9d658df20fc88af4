import type { Client, StreamEvent } from '@parapet/sdk'

export interface EventWatch {
  readonly seen: readonly StreamEvent[]
  /** The first event of the channel behind position `from`, or null when none comes within `ms` milliseconds. */
  next(channel: string, from: number, ms?: number): Promise<StreamEvent | null>
  close(): void
}

/** Subscribes to every channel and keeps what arrives. */
export async function watchEvents(client: Client): Promise<EventWatch> {
  const seen: StreamEvent[] = []
  const waiting = new Set<() => void>()
  const subscription = client.events.subscribe(['*'], (event) => {
    seen.push(event)
    for (const look of waiting) look()
  })
  await subscription.ready
  return {
    seen,
    close: () => subscription.close(),
    next: (channel, from, ms = 8_000) =>
      new Promise((resolve) => {
        const done = (event: StreamEvent | null): void => {
          clearTimeout(limit)
          waiting.delete(look)
          resolve(event)
        }
        const look = (): void => {
          const found = seen.slice(from).find((event) => event.channel === channel)
          if (found !== undefined) done(found)
        }
        const limit = setTimeout(() => done(null), ms)
        waiting.add(look)
        look()
      }),
  }
}
