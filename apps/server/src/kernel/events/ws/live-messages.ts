import type { LoggedEvent } from '../catalogue/logged-event.ts'
import type { DeliveryParts } from './delivery.ts'

const mostHeld = 1_000

/** Messages that are not logged: the newest of each subject goes out as soon as the socket takes it. */
export class LiveMessages {
  readonly #parts: Pick<DeliveryParts, 'wire' | 'encode'>
  readonly #isFollowed: (channel: string) => boolean
  readonly #held = new Map<string, LoggedEvent>()
  #isWaiting = false

  constructor(parts: Pick<DeliveryParts, 'wire' | 'encode'>, isFollowed: (channel: string) => boolean) {
    this.#parts = parts
    this.#isFollowed = isFollowed
  }

  offer(event: LoggedEvent): void {
    const { wire } = this.#parts
    // Taken out first, so that the newest are last.
    this.#held.delete(event.subject)
    this.#held.set(event.subject, event)
    const [oldest] = this.#held.keys()
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest)
    if (!wire.congested && !wire.full) {
      this.#send()
      return
    }
    if (this.#isWaiting) return
    this.#isWaiting = true
    void wire.drained().then(() => {
      this.#isWaiting = false
      this.#send()
    })
  }

  #send(): void {
    for (const event of this.#held.values()) {
      const bytes = this.#isFollowed(event.channel) ? this.#parts.encode(event, 0) : null
      if (bytes === false) break
      if (bytes !== null) this.#parts.wire.send(bytes)
    }
    this.#held.clear()
  }
}
