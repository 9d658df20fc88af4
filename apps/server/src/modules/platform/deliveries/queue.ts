/**
 * Deliveries are asked for in the transaction that causes them: a row, and one waiting job for all of its integration, or for
 * all mails to people. A receiver that is slow, or a burst for it, therefore fills neither the queue of jobs nor its slots.
 * Tested in deliveries.test.ts and fairness.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DeliveryRow } from '../declared/delivery-schema.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { deliveries } from '../declared/integration-tables.ts'
import type { OutgoingMessage } from '../declared/message.ts'

export const deliveryJobKind = 'platform.delivery'

export interface DeliveryRequest {
  /** Null for a mail to a person. */
  readonly integration: Pick<IntegrationRow, 'id' | 'status'> | null
  readonly userId?: string
  readonly kind: DeliveryRow['kind']
  readonly message: OutgoingMessage
  readonly eventId?: string
  readonly notificationId?: string
  /** Unix milliseconds of the first attempt; default now. */
  readonly notBefore?: number
}

type Parts = Pick<Kernel, 'clock' | 'random' | 'liveSecrets'>

/** Stores deliveries with the jobs that try them. Gives their ids in the same order. */
export async function queueDeliveries(
  parts: Parts,
  tx: Tx,
  requests: readonly DeliveryRequest[],
): Promise<readonly string[]> {
  const rows = requests.map((request) => newDelivery(parts, tx, request))
  await insertMany(tx, deliveries, rows)
  const first = new Map<string | null, number>()
  for (const { integration, notBefore = parts.clock.now() } of requests) {
    if (integration !== null && integration.status !== 'active') continue
    const id = integration?.id ?? null
    first.set(id, Math.min(notBefore, first.get(id) ?? notBefore))
  }
  for (const [id, at] of first) await askForAttempts(tx, id, at)
  return rows.map(({ id }) => id)
}

export function newDelivery({ clock, random, liveSecrets }: Parts, tx: Tx, request: DeliveryRequest): DeliveryRow {
  const { integration, userId, kind, message, eventId, notificationId, notBefore } = request
  const at = clock.iso()
  const safe = JSON.parse(liveSecrets.hideInJson(JSON.stringify(message), tx.tenantId)) as OutgoingMessage
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: at, updated_at: at },
    ...{ integration_id: integration?.id ?? null, user_id: userId ?? null, kind, message_id: message.id },
    ...{ channel: message.channel, event_id: eventId ?? null, notification_id: notificationId ?? null },
    ...{ status: 'pending', attempts: [], tries: 0, message: safe },
    next_attempt_at: notBefore === undefined ? at : new Date(notBefore).toISOString(),
  }
}

/** One waiting job for everything that is due of an integration, or of all mails; the earlier time counts. */
export function askForAttempts(tx: Pick<Tx, 'enqueue'>, integrationId: string | null, runAt?: number): Promise<void> {
  return tx.enqueue({
    kind: deliveryJobKind,
    key: integrationId ?? 'mail',
    payload: { integration_id: integrationId },
    ...(runAt === undefined ? {} : { runAt }),
  })
}

export const isOpen = sql`status in ('pending', 'delivering', 'retrying')`

export const isOf = (integrationId: string | null): SqlPart =>
  integrationId === null ? sql`integration_id is null` : sql`integration_id = ${integrationId}`

/** Open deliveries of an archived integration are never sent. */
export async function cancelOpen(
  tx: Tx,
  { integrationId, at }: { readonly integrationId: string; readonly at: string },
) {
  return tx.execute(sql`
    update platform_delivery set status = 'cancelled', next_attempt_at = null, updated_at = ${at}
    where integration_id = ${integrationId} and ${isOpen}`)
}
