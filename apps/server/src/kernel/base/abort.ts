/**
 * Ends work early: `AbortController` and `AbortSignal` in one. Promises that listeners run once, in the order in
 * which they came, and none that was taken back. Made for each call many times over: Node makes every one of its own
 * signals an object of a new shape, and all code that touches one is slow for it. Tested in abort.test.ts.
 */

/** As much of an `AbortSignal` as waiting needs; a real one fits. */
export interface AbortWatch {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
  /** @throws the reason once it aborted */
  throwIfAborted(): void
}

export class Aborter implements AbortWatch {
  #aborted = false
  #reason: unknown = undefined
  #listeners: Set<() => void> | null = null
  #real: AbortController | null = null

  /** One that aborts together with another, until `leave` is called. */
  static following(other: AbortWatch): { readonly aborter: Aborter; readonly leave: () => void } {
    const aborter = new Aborter()
    const abort = (): void => aborter.abort(other.reason)
    if (other.aborted) abort()
    else other.addEventListener('abort', abort, { once: true })
    return { aborter, leave: () => other.removeEventListener('abort', abort) }
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** For APIs that take a real one only; made at first use. */
  get abortSignal(): AbortSignal {
    this.#real ??= new AbortController()
    if (this.#aborted) this.#real.abort(this.#reason)
    return this.#real.signal
  }

  /** The first reason stays. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    for (const listener of this.#listeners ?? []) heard(listener)
    this.#listeners = null
    this.#real?.abort(reason)
  }

  addEventListener(_: 'abort', listener: () => void): void {
    if (this.#aborted) return
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener)
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }
}

/** As with any event: a listener that throws is reported as an uncaught error and does not stop the others. */
function heard(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
