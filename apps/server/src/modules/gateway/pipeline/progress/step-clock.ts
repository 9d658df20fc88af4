import type { Clock } from '../../../../kernel/base/clock.ts'
import type { WithProgress } from './call-progress.ts'
import { stepGoneOn } from './step-record.ts'

export const toMicroseconds = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000)

interface Parts {
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Adds the time of work done later, while an answer streams, to the step it belongs to. */
export function stepClock({ clock }: Parts, { progress }: WithProgress, n: number): <T>(work: () => T) => T {
  const { steps } = progress
  return (work) => {
    const index = steps.findIndex((step) => step.n === n)
    const record = steps[index]
    // The step itself is still running and measured as a whole.
    if (record === undefined) return work()
    const startedMs = clock.monotonic()
    try {
      return work()
    } finally {
      const ms = toMicroseconds((steps[index]?.ms ?? 0) + clock.monotonic() - startedMs)
      steps[index] = stepGoneOn(record, { ms })
    }
  }
}
