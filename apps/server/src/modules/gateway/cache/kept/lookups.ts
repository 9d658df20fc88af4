/**
 * One statement for many lookups: keys requested while a read runs go into the next read of the same tenant, so a lone
 * lookup does not wait and a burst shares transactions. Each caller gets the answer for its own key, or the error of
 * the read that included it. Tested in lookups.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'

/** Maximum keys of one read. */
const largestGroup = 256

/** The rows of these keys, at most one per key. */
export type ReadKeys<Row> = (tenantId: TenantId, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>

interface Asked<Row> {
  readonly key: string
  readonly found: (row: Row | undefined) => void
  readonly lost: (error: unknown) => void
}

export function createLookups<Row>(read: ReadKeys<Row>): (tenantId: TenantId, key: string) => Promise<Row | undefined> {
  /** For tenants with a running read. */
  const waiting = new Map<TenantId, Asked<Row>[]>()

  const answer = async (tenantId: TenantId, group: readonly Asked<Row>[]): Promise<void> => {
    try {
      const rows = await read(tenantId, [...new Set(group.map(({ key }) => key))])
      for (const { key, found } of group) found(rows.get(key))
    } catch (error) {
      for (const { lost } of group) lost(error)
    }
  }

  const run = async (tenantId: TenantId, queue: Asked<Row>[]): Promise<void> => {
    while (queue.length > 0) await answer(tenantId, queue.splice(0, largestGroup))
    waiting.delete(tenantId)
  }

  return (tenantId, key) =>
    new Promise((found, lost) => {
      const queue = waiting.get(tenantId)
      if (queue !== undefined) {
        queue.push({ key, found, lost })
        return
      }
      const first = [{ key, found, lost }]
      waiting.set(tenantId, first)
      // Deferred by one microtask, so that simultaneous lookups share a read.
      void Promise.resolve().then(() => run(tenantId, first))
    })
}
