/**
 * Deliveries are asked for in the transaction that causes them: a row, and a job that tries it. Of an ordered integration
 * the oldest open delivery alone has a job; its end asks for the next one. Tested in deliveries.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DeliveryRow } from '../declared/delivery-schema.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { deliveries } from '../declared/integration-tables.ts'
import type { OutgoingMessage } from '../declared/message.ts'

export const deliveryJobKind = 'platform.delivery'

export interface DeliveryRequest {
  /** Null for a mail to a person. */
  readonly integration: Pick<IntegrationRow, 'id' | 'ordered' | 'status'> | null
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
  for (const [index, row] of rows.entries()) {
    const { integration = null, notBefore } = requests[index] ?? {}
    if (integration !== null && integration.status !== 'active') continue
    if (integration?.ordered === true) await askForNext(tx, integration.id)
    else await askForAttempt(tx, row.id, notBefore)
  }
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

/** One waiting job for a delivery, whoever asks. */
export function askForAttempt(tx: Pick<Tx, 'enqueue'>, deliveryId: string, runAt?: number): Promise<void> {
  return tx.enqueue({
    kind: deliveryJobKind,
    key: deliveryId,
    payload: { delivery_id: deliveryId },
    ...(runAt === undefined ? {} : { runAt }),
  })
}

const open = sql`status in ('pending', 'delivering', 'retrying')`

/** The oldest open delivery of an ordered integration gets its job; one that has it keeps it. */
export async function askForNext(tx: Tx, integrationId: string): Promise<void> {
  const next = await tx.first(sql<{ id: string; next_attempt_at: string | null }>`
    select id, next_attempt_at from platform_delivery where integration_id = ${integrationId} and ${open}
    order by created_at, id limit 1`)
  if (next === null) return
  await askForAttempt(tx, next.id, next.next_attempt_at === null ? undefined : Date.parse(next.next_attempt_at))
}

/** Everything open of an integration that is active again. */
export async function resume(tx: Tx, { id, ordered }: Pick<IntegrationRow, 'id' | 'ordered'>): Promise<void> {
  if (ordered) return askForNext(tx, id)
  const rows = await tx.query(sql<{ id: string; next_attempt_at: string | null }>`
    select id, next_attempt_at from platform_delivery where integration_id = ${id} and ${open}
    order by created_at limit 1000`)
  for (const row of rows)
    await askForAttempt(tx, row.id, row.next_attempt_at === null ? undefined : Date.parse(row.next_attempt_at))
}

/** What is open of an integration that is archived is never sent. */
export async function cancelOpen(
  tx: Tx,
  { integrationId, at }: { readonly integrationId: string; readonly at: string },
) {
  return tx.execute(sql`
    update platform_delivery set status = 'cancelled', next_attempt_at = null, updated_at = ${at}
    where integration_id = ${integrationId} and ${open}`)
}
