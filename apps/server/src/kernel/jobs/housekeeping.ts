/**
 * Removes expired rows, slice by slice, once an hour. Two instances at it do no harm. The owners of the tables define
 * the retention, not this file. Tested in housekeeping.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { Meter } from '../observe/meter.ts'

export interface Chore {
  readonly name: string
  /** Removes one slice and answers how many rows went. */
  readonly run: () => Promise<number>
}

export interface HousekeepingParts {
  readonly clock: Clock
  readonly log: LoopLog
  readonly meter: Meter
  readonly chores: readonly Chore[]
}

export function createHousekeeping(parts: HousekeepingParts): Activity {
  const everyMs = 3_600_000
  const loop = createLoop({
    name: 'housekeeping',
    clock: parts.clock,
    log: parts.log,
    everyMs,
    run: async (signal) => {
      for (const chore of parts.chores) {
        let gone = 0
        do {
          gone = await chore.run()
          parts.meter.count(`housekeeping_${chore.name}_total`, gone)
        } while (gone > 0 && !signal.aborted)
      }
      return false
    },
  })
  return { name: 'housekeeping', start: async () => loop.start(), stop: () => loop.stop() }
}
