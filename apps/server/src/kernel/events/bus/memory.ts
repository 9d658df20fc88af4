import { type Bus, type BusMessage, checkPrefix, subjectError } from './port.ts'

export interface MemoryBusOptions {
  /** Told of handlers that threw and messages that were not sent. */
  readonly onError: (error: unknown) => void
}

interface Subscription {
  readonly below: string
  readonly handler: (message: BusMessage) => void
}

/** A bus inside one process. Handlers run after the publisher's turn, in the order of publishing. */
export function createMemoryBus({ onError }: MemoryBusOptions): Bus {
  const subscriptions = new Set<Subscription>()
  let open = true

  function deliver(subscription: Subscription, message: BusMessage): void {
    if (!subscriptions.has(subscription)) return
    try {
      subscription.handler(message)
    } catch (error) {
      onError(error)
    }
  }

  return {
    async publish(message) {
      const error = open ? subjectError(message.subject) : new Error('The bus is closed.')
      if (error !== null) return onError(error)
      for (const subscription of subscriptions) {
        if (message.subject.startsWith(subscription.below)) queueMicrotask(() => deliver(subscription, message))
      }
    },
    async subscribe(prefix, handler) {
      checkPrefix(prefix)
      const subscription = { below: `${prefix}.`, handler }
      subscriptions.add(subscription)
      return async () => void subscriptions.delete(subscription)
    },
    healthy: () => open,
    async close() {
      open = false
      subscriptions.clear()
    },
  }
}
