/**
 * A loan for a time, such as a token: borrowed when it is first needed, kept until shortly before its end, and
 * borrowed anew once however many ask at the same time. A loan that fails is not remembered. Tested in lent.test.ts.
 */
import type { Clock } from '../../base/clock.ts'
import { singleFlight } from '../../cache/single-flight.ts'

export interface Lent<T> {
  readonly value: T
  readonly endsMs: number
}

export interface Lender<T> {
  /** The loan that is held, or borrowed now. */
  current(): Promise<T>
  /** This is not taken any more: the next caller borrows anew, unless another has done so since. */
  drop(value: T): void
}

/** Before its end, so that what is asked with it arrives in time. */
const marginMs = 300_000

export function createLender<T>(clock: Pick<Clock, 'now'>, borrow: () => Promise<Lent<T>>): Lender<T> {
  let held: Lent<T> | null = null
  const flight = singleFlight(async () => {
    held = await borrow()
    return held.value
  })
  return {
    current: async () => (held !== null && held.endsMs - marginMs > clock.now() ? held.value : flight.run('')),
    drop: (value) => {
      if (held?.value === value) held = null
    },
  }
}
