/** When to stop asking and for how long. */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number
  /** Milliseconds without a call before one probe may try again. */
  readonly restMs: number
  /** Milliseconds, from any start; must not run backwards. */
  readonly now: () => number
}

/**
 * Stops calls to something that keeps failing. After a rest one caller, and only one, finds out whether it works
 * again. Every entered call must end in exactly one of `succeeded`, `failed` and `abandoned`.
 */
export class Breaker {
  readonly #options: BreakerOptions
  #failuresInARow = 0
  #openedAt: number | undefined
  #probing = false

  constructor(options: BreakerOptions) {
    this.#options = options
  }

  /** Whether the call may go ahead. */
  enter(): boolean {
    if (this.#openedAt === undefined) return true
    if (this.#probing || this.#options.now() - this.#openedAt < this.#options.restMs) return false
    this.#probing = true
    return true
  }

  succeeded(): void {
    this.#failuresInARow = 0
    this.#openedAt = undefined
    this.#probing = false
  }

  failed(): void {
    this.#failuresInARow += 1
    this.#probing = false
    if (this.#failuresInARow >= this.#options.failures) this.#openedAt = this.#options.now()
  }

  /** The caller gave up: it says nothing about the other side, but the next caller may probe. */
  abandoned(): void {
    this.#probing = false
  }
}
