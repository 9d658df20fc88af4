/**
 * One commit for many records: records added while a flush runs go with the next one, which begins the moment the
 * running one ends, so a lone record waits for one commit and a burst shares commits. Promises that `add` resolves only
 * when the record is stored, or waits where it is as safe, and rejects when it is not. Tested in group-commit.test.ts.
 */
import type { Clock } from '../base/clock.ts'

export interface GroupCommit<R> {
  add(record: R): Promise<void>
  /** Resolves when nothing waits and nothing runs. */
  drained(): Promise<void>
}

/** Records of one flush. */
const largestGroup = 256

interface Waiting<R> {
  readonly record: R
  readonly stored: () => void
  readonly lost: (error: unknown) => void
}

export interface GroupCommitParts<R> {
  /** Stores all or none. */
  readonly flush: (records: readonly R[]) => Promise<void>
  /** True when the store itself is away: then trying the records one by one is of no use. */
  readonly isOutage: (error: unknown) => boolean
  /** Where records may wait for the end of an outage. */
  readonly waitingRoom?: WaitingRoom<R>
  /** Most records under way beside which others are stored at once instead of waiting for their flush; default none. */
  readonly beside?: number
  /** Time the first record waits for others; default none. For records without a waiting caller. */
  readonly gather?: { readonly clock: Pick<Clock, 'after'>; readonly ms: number }
}

export interface WaitingRoom<R> {
  /** Whether a record may wait there; the others are lost with the outage. */
  admits(record: R): boolean
  /** Keeps all or none, as safely as the store would. */
  keep(records: readonly R[]): Promise<void>
}

function gathered(gather: GroupCommitParts<never>['gather']): Promise<void> {
  return gather === undefined
    ? Promise.resolve()
    : new Promise((resolve) => void gather.clock.after(gather.ms, resolve))
}

export function createGroupCommit<R>({
  flush,
  isOutage,
  waitingRoom,
  beside = 0,
  gather,
}: GroupCommitParts<R>): GroupCommit<R> {
  let queue: Waiting<R>[] = []
  let running: Promise<void> | null = null
  let underWay = 0
  const early: Waiting<R>[] = []
  const aside = new Set<Promise<void>>()

  const storing = async (group: readonly Waiting<R>[]): Promise<void> => {
    underWay += group.length
    await store(group)
    underWay -= group.length
  }

  const store = async (group: readonly Waiting<R>[]): Promise<void> => {
    try {
      await flush(group.map(({ record }) => record))
      for (const { stored } of group) stored()
    } catch (error) {
      if (isOutage(error)) return outlast(group, error)
      if (group.length === 1) {
        for (const { lost } of group) lost(error)
        return
      }
      // One record the store refuses must not take the others with it.
      for (const waiting of group) await store([waiting])
    }
  }

  const outlast = async (group: readonly Waiting<R>[], outage: unknown): Promise<void> => {
    const admitted: Waiting<R>[] = []
    for (const each of group) {
      if (waitingRoom?.admits(each.record) === true) admitted.push(each)
      else each.lost(outage)
    }
    if (admitted.length === 0) return
    try {
      await waitingRoom?.keep(admitted.map(({ record }) => record))
      for (const { stored } of admitted) stored()
    } catch (error) {
      for (const { lost } of admitted) lost(error)
    }
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = queue.slice(0, largestGroup)
      queue = queue.slice(largestGroup)
      await storing(group)
    }
    running = null
  }

  /** Records that arrive together stay together. */
  const mayOvertake = (): boolean => {
    if (queue.length > 0 || underWay === 0) return false
    return early.length > 0 ? early.length < largestGroup : underWay < beside
  }

  /** Few are under way: the store is idle enough to take those that come now at the same time, in one flush. */
  const overtake = (waiting: Waiting<R>): void => {
    early.push(waiting)
    if (early.length > 1) return
    const flight = Promise.resolve()
      .then(() => storing(early.splice(0)))
      .finally(() => aside.delete(flight))
    aside.add(flight)
  }

  return {
    add: (record) =>
      new Promise((stored, lost) => {
        const waiting = { record, stored, lost }
        if (mayOvertake()) return overtake(waiting)
        queue.push(waiting)
        // A turn of the event loop later, so that records made together travel together.
        running ??= gathered(gather).then(run)
      }),
    drained: async () => {
      await Promise.all([running, ...aside])
    },
  }
}
