/**
 * Start order, drain and stop. Activities start in the order they were added and stop in the reverse one; each stop is
 * waited for, but not longer than its share, because a hanging one must not keep the others from closing cleanly.
 * Tested in lifecycle.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Logger } from '../observe/log.ts'
import type { Activity } from './activity.ts'

export interface Lifecycle {
  add(activity: Activity): void
  start(): Promise<void>
  /** Stops everything that was started. Safe to call twice. */
  stop(): Promise<void>
}

const stopLimitMs = 10_000

export function createLifecycle(parts: { readonly log: Logger; readonly clock: Clock }): Lifecycle {
  const activities: Activity[] = []
  const started: Activity[] = []
  let stopping: Promise<void> | null = null

  const stopOne = (activity: Activity): Promise<void> =>
    new Promise((resolve) => {
      const limit = parts.clock.after(stopLimitMs, () => {
        parts.log.error({ activity: activity.name }, 'did not stop in time')
        resolve()
      })
      Promise.resolve()
        .then(() => activity.stop())
        .catch((error: unknown) => parts.log.error({ activity: activity.name, err: error }, 'failed to stop'))
        .finally(() => {
          limit.stop()
          resolve()
        })
    })

  const stopAll = async (): Promise<void> => {
    for (const activity of started.reverse()) await stopOne(activity)
    started.length = 0
  }

  return {
    add: (activity) => {
      activities.push(activity)
    },
    start: async () => {
      try {
        for (const activity of activities) {
          await activity.start()
          started.push(activity)
        }
      } catch (error) {
        await stopAll()
        throw error
      }
    },
    stop: () => {
      stopping ??= stopAll()
      return stopping
    },
  }
}
