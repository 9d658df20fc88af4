/**
 * Interface of an external model to the detector, and its way to report that it could not answer.
 * Adapters keep this promise: one probability a text, in the order asked, and a rejection instead of a guess.
 */
export interface Classifier {
  /** For reports: which model answered. */
  readonly name: string
  /** Tokens of one window; an adapter cuts longer texts into windows itself. */
  readonly maxTokens: number
  /**
   * Probability 0..1 of an attack for each text, in order, not calibrated.
   * @throws ClassifierError when no answer can be had, or the signal's reason when it aborts.
   */
  classify(texts: readonly string[], signal: AbortSignal): Promise<number[]>
}

/**
 * `not-usable`: it cannot work until somebody changes its files or settings. `unavailable`: not reached, or it refused.
 * `resting`: not asked, because it kept failing. `busy`: too many callers wait already. `timeout`: no answer in time.
 * `too-long`: more windows than allowed. `invalid-answer`: an answer that is no score.
 */
export type ClassifierFailure =
  | 'not-usable'
  | 'unavailable'
  | 'resting'
  | 'busy'
  | 'timeout'
  | 'too-long'
  | 'invalid-answer'

/** Carries a reason for programs and a sentence for people; never the text, an address' secrets or an answer's body. */
export class ClassifierError extends Error {
  readonly reason: ClassifierFailure

  constructor(reason: ClassifierFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClassifierError'
    this.reason = reason
  }
}

/** Settles as the work does, or rejects with the signal's reason at once when it aborts first. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
