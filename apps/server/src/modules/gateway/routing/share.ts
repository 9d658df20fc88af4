/**
 * Lets something extra happen for a share of the ordinary only, so that helping one call never becomes a storm. Tested in
 * share.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'

export interface Share {
  /** Something ordinary happened. */
  count(key: string): void
  /** Takes one extra if the share allows it now. */
  take(key: string): boolean
}

export interface ShareRule {
  /** Extras per ordinary one, 0 to 1. */
  readonly share: number
  /** How far back both are counted, in milliseconds. */
  readonly windowMs: number
  /** Extras per window that are always allowed, so that a quiet tenant may have any at all. */
  readonly always: number
}

const slots = 10
/** Keys held at once; the one that was counted first leaves. */
const mostKeys = 10_000

interface Counts {
  /** Ordinary and extra ones, by slot of the window. */
  readonly ordinary: Float64Array
  readonly extra: Float64Array
  slot: number
}

export function createShare(clock: Pick<Clock, 'now'>, { share, windowMs, always }: ShareRule): Share {
  const counted = new Map<string, Counts>()
  const slotMs = windowMs / slots
  const current = (key: string): Counts => {
    const now = Math.floor(clock.now() / slotMs)
    const counts = counted.get(key) ?? { ordinary: new Float64Array(slots), extra: new Float64Array(slots), slot: now }
    for (let slot = Math.max(counts.slot + 1, now - slots + 1); slot <= now; slot += 1) {
      counts.ordinary[slot % slots] = 0
      counts.extra[slot % slots] = 0
    }
    counts.slot = Math.max(counts.slot, now)
    counted.set(key, counts)
    const [oldest] = counted.keys()
    if (counted.size > mostKeys && oldest !== undefined) counted.delete(oldest)
    return counts
  }
  return {
    count: (key) => add(current(key), 'ordinary'),
    take: (key) => {
      const counts = current(key)
      const taken = sum(counts.extra) + 1
      if (taken > always && taken > share * sum(counts.ordinary)) return false
      add(counts, 'extra')
      return true
    },
  }
}

function add(counts: Counts, which: 'ordinary' | 'extra'): void {
  const at = counts.slot % slots
  counts[which][at] = (counts[which][at] ?? 0) + 1
}

const sum = (counts: Float64Array): number => counts.reduce((all, count) => all + count, 0)
