/**
 * Reserves the maximum cost of a call in every budget that covers it, or in none. Calls of a tenant that arrive at the
 * same time share a transaction, and a transaction is one round trip to the database, so a lone call waits for one
 * commit and a burst shares commits. Row locks separate the holds of different processes. Tested in reserve.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { createGroupCommit, type GroupCommit } from '../../../kernel/commits/group-commit.ts'
import { isUnavailable } from '../../../kernel/db/errors.ts'
import type { Database, OpenTx } from '../../../kernel/db/port.ts'
import { type Claim, type ClaimRow, foldSettled, type HoldFacts, lockBudgets, takeHolds } from './ledger.ts'

export interface Reservation extends HoldFacts {
  /** At least one. */
  readonly claims: readonly Claim[]
}

export interface Reservations {
  /** Each budget's standing before this call, and whether it refuses; amounts are held if none refuses. */
  take(tenantId: TenantId, wanted: Reservation): Promise<readonly ClaimRow[]>
}

interface Waiting {
  readonly wanted: Reservation
  answer: readonly ClaimRow[]
}

export function createReservations(db: Pick<Database, 'open'>): Reservations {
  const queues = new Map<TenantId, GroupCommit<Waiting>>()
  const queueOf = (tenantId: TenantId): GroupCommit<Waiting> => {
    const known = queues.get(tenantId)
    if (known !== undefined) return known
    const queue = createGroupCommit<Waiting>({
      flush: (group) => takeAll(db.open({ tenantId }), group),
      isOutage: isUnavailable,
    })
    queues.set(tenantId, queue)
    return queue
  }
  return {
    take: async (tenantId, wanted) => {
      const waiting: Waiting = { wanted, answer: [] }
      const queue = queueOf(tenantId)
      const stored = queue.add(waiting)
      // When no call waits any more, the queue is dropped: idle tenants are not remembered.
      const forget = (): void => {
        if (queues.get(tenantId) === queue) queues.delete(tenantId)
      }
      void queue.drained().then(forget, forget)
      await stored
      return waiting.answer
    },
  }
}

/** All statements and the commit are sent together; each statement sees the effects of the previous ones. */
async function takeAll(tx: OpenTx, group: readonly Waiting[]): Promise<void> {
  const at = group.map(({ wanted }) => wanted.at).reduce((a, b) => (a > b ? a : b), '')
  const ids = [...new Set(group.flatMap(({ wanted }) => wanted.claims.map(({ budgetId }) => budgetId)))].sort()
  const answers = Promise.all([
    tx.query(lockBudgets(ids)),
    tx.execute(foldSettled(ids, at)),
    ...group.map(async (waiting) => {
      waiting.answer = await tx.query(takeHolds(waiting.wanted.claims, waiting.wanted))
    }),
  ])
  await Promise.all([answers, tx.commit()])
}
