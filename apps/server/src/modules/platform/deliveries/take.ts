/**
 * The next delivery of a queue: that of an integration, or of all mails. So many at once are under way to one receiver, of an
 * ordered one its oldest alone. The time of the next attempt of one under way is that at which its worker counts as dead.
 * Tested in deliveries.test.ts and fairness.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DeliveryRow } from '../declared/delivery-schema.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { deliveries, integrations } from '../declared/integration-tables.ts'
import { askForAttempts, isOf, isOpen } from './queue.ts'

/** Messages under way to one receiver at a time. */
const mostAtOnce = 4
/** Longer than any attempt, its look-up and their time-outs. */
const underWayMs = 120_000

export interface Taken {
  readonly delivery: DeliveryRow
  readonly integration: IntegrationRow | null
}

/** Marks the next delivery that is due as under way; null where there is none now, and then a job comes when there is. */
export async function takeNext(kernel: Kernel, tx: Tx, integrationId: string | null): Promise<Taken | null> {
  const now = kernel.clock.now()
  const integration = await locked(tx, integrationId)
  if (integration !== null && integration.status !== 'active') return null
  const pausedUntil = integration?.paused_until == null ? 0 : Date.parse(integration.paused_until)
  if (pausedUntil > now) {
    await askForAttempts(tx, integrationId, pausedUntil)
    return null
  }
  const isOrdered = integration?.ordered === true
  if ((await underWay(tx, integrationId, now)) >= (isOrdered ? 1 : mostAtOnce)) return null
  const [delivery, another] = await waiting(tx, integrationId, isOrdered)
  if (delivery === undefined) return null
  const at = dueAt(delivery)
  if (at > now) {
    await askForAttempts(tx, integrationId, at)
    return null
  }
  await deliveries.patch(tx, delivery.id, {
    ...{ status: 'delivering', updated_at: kernel.clock.iso() },
    next_attempt_at: new Date(now + underWayMs).toISOString(),
  })
  // Another worker helps, where there is more.
  if (another !== undefined) await askForAttempts(tx, integrationId, dueAt(another))
  return { delivery, integration }
}

const dueAt = ({ next_attempt_at: at }: DeliveryRow): number => (at === null ? 0 : Date.parse(at))

/** Under the lock of its queue, so that what one worker sees under way is not given up by another at the same time. */
async function locked(tx: Tx, integrationId: string | null): Promise<IntegrationRow | null> {
  if (integrationId !== null) return integrations.needForUpdate(tx, integrationId)
  await tx.lock('platform.delivery', 'mail')
  return null
}

async function underWay(tx: Tx, integrationId: string | null, nowMs: number): Promise<number> {
  const row = await tx.first(sql<{ count: number }>`
    select count(*)::int as count from platform_delivery
    where ${isOf(integrationId)} and status = 'delivering' and next_attempt_at > ${new Date(nowMs).toISOString()}`)
  return row?.count ?? 0
}

function waiting(tx: Tx, integrationId: string | null, isOrdered: boolean): Promise<readonly DeliveryRow[]> {
  const isWaiting = sql`${isOf(integrationId)} and ${isOpen} and next_attempt_at is not null and message is not null`
  return isOrdered
    ? tx.query(sql<DeliveryRow>`
        select ${deliveries.columns} from platform_delivery where ${isWaiting} order by created_at, id limit 1`)
    : tx.query(sql<DeliveryRow>`
        select ${deliveries.columns} from platform_delivery where ${isWaiting} order by next_attempt_at, created_at, id limit 2`)
}
