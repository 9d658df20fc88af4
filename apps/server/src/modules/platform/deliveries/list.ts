/** The delivery log of an integration. Tested in deliveries.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Delivery, DeliveryFilter, DeliveryRow } from '../declared/delivery-schema.ts'
import { deliveries, integrations } from '../declared/integration-tables.ts'

export interface DeliveryList {
  readonly integrationId: string
  readonly page: PageRequest
  readonly filter: DeliveryFilter
}

/** @throws API-013 for an integration that does not exist */
export async function listDeliveries(tx: Tx, { integrationId, page, filter }: DeliveryList): Promise<Page<Delivery>> {
  await integrations.need(tx, integrationId)
  const { q, status, kind, event_id: event, channel, since } = filter
  const where = [
    sql`integration_id = ${integrationId}`,
    ...(q === undefined ? [] : [sql`channel like ${likePrefix(q)}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(event === undefined ? [] : [sql`event_id = ${event}`]),
    ...(channel === undefined ? [] : [sql`channel = ${channel}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
  ]
  const found = await deliveries.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map(deliveryView) }
}

export function deliveryView({ message, tries: _tries, ...shown }: DeliveryRow): Delivery {
  // Of one under way it is the time at which its worker counts as dead.
  const next = shown.status === 'delivering' ? null : shown.next_attempt_at
  return { ...shown, next_attempt_at: next, replayable: message !== null }
}
