import type { StreamEvent, Subscribed } from './frames.ts'

/** Last event seen of each channel, or everything that is kept. */
export type Resume = 'earliest' | Readonly<Record<string, string>>

interface Position {
  readonly id: string
  /** Null as long as no event of the channel was delivered. */
  readonly sequence: string | null
}

/** Where each channel of a subscription stands, so that the next connection goes on exactly there. */
export class Positions {
  readonly #first: Resume | undefined
  readonly #seen = new Map<string, Position>()
  #subscribed = false

  /** @param first where the caller wants to begin; without it, with what comes from now on */
  constructor(first: Resume | undefined) {
    this.#first = first
  }

  /** False for an event that was delivered before: after a resume the server may repeat some. */
  isNew({ channel, sequence }: StreamEvent): boolean {
    const last = this.#seen.get(channel)?.sequence ?? null
    return last === null || sequence > last
  }

  delivered({ id, channel, sequence }: StreamEvent): void {
    this.#seen.set(channel, { id, sequence })
  }

  /** Fixes where channels begin that had no event yet, so that a break before their first one loses none. */
  subscribed({ positions }: Subscribed): void {
    this.#subscribed = true
    for (const [channel, newest] of Object.entries(positions)) {
      const known = this.#seen.has(channel) || (this.#first !== 'earliest' && this.#first?.[channel] !== undefined)
      if (known) continue
      // A channel without any event yet: everything that it will have kept is new.
      const id = this.#first === 'earliest' ? 'earliest' : (newest ?? 'earliest')
      this.#seen.set(channel, { id, sequence: null })
    }
  }

  /** The server goes on elsewhere than asked, perhaps with sequences counted anew. */
  gap(channel: string): void {
    const last = this.#seen.get(channel)
    if (last !== undefined) this.#seen.set(channel, { ...last, sequence: null })
  }

  /** Positions to ask the server for on the next connection; undefined for new events only. */
  get resume(): Resume | undefined {
    if (!this.#subscribed) return this.#first
    const seen = Object.fromEntries([...this.#seen].map(([channel, { id }]) => [channel, id]))
    return { ...(typeof this.#first === 'object' ? this.#first : {}), ...seen }
  }
}
