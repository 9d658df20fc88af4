/**
 * One commit for many records: what is added while a flush runs goes with the next one, which begins the moment the
 * running one ends, so a lone record waits for one commit and a burst shares commits. Promises that `add` resolves only
 * when the record is stored and rejects when it is not. Tested in group-commit.test.ts.
 */
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
}

export function createGroupCommit<R>({ flush, isOutage }: GroupCommitParts<R>): GroupCommit<R> {
  let queue: Waiting<R>[] = []
  let running: Promise<void> | null = null

  const store = async (group: readonly Waiting<R>[]): Promise<void> => {
    try {
      await flush(group.map(({ record }) => record))
      for (const { stored } of group) stored()
    } catch (error) {
      if (group.length === 1 || isOutage(error)) {
        for (const { lost } of group) lost(error)
        return
      }
      // One record the store refuses must not take the others with it.
      for (const waiting of group) await store([waiting])
    }
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = queue.slice(0, largestGroup)
      queue = queue.slice(largestGroup)
      await store(group)
    }
    running = null
  }

  return {
    add: (record) =>
      new Promise((stored, lost) => {
        queue.push({ record, stored, lost })
        // A turn of the event loop later, so that records made together travel together.
        running ??= Promise.resolve().then(run)
      }),
    drained: () => running ?? Promise.resolve(),
  }
}
