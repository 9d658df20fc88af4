import { ClassifierError } from './classifier.ts'

/**
 * Lets one piece of work run at a time. A model already uses every core that it may; two at once would only take the
 * threads that file access and name resolution need.
 */
export class Turns {
  readonly #mostWaiting: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  /** @throws ClassifierError (`busy`) at once when too many wait. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#mostWaiting) throw new ClassifierError('busy', 'Too many texts wait for this model.')
    this.#waiting += 1
    const turn = this.#last.then(work)
    // The next in line does not care how this one ended.
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#waiting -= 1
    }
  }
}
