/**
 * The test button, which waits for the true outcome, and the replay of what was delivered before or died, with the same
 * message ids so that receivers can drop what they have. Tested in deliveries.test.ts.
 */
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { newestOf } from '../../../kernel/events/log.ts'
import type { Delivery, DeliveryRow, NewDelivery } from '../declared/delivery-schema.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { deliveries, integrations } from '../declared/integration-tables.ts'
import { messageOfEvent, messageOfOwn, type OutgoingMessage } from '../declared/message.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { deliveryView } from './list.ts'
import { askForAttempts, newDelivery } from './queue.ts'
import { attempt, settle } from './run-delivery.ts'

export interface Asked {
  readonly scope: TenantScope
  readonly integrationId: string
  readonly input: NewDelivery
}

/** @throws API-013, PLAT-018, PLAT-021, PLAT-022 for a channel without an event */
export async function testIntegration(services: PlatformServices, asked: Asked): Promise<Delivery> {
  const { kernel } = services
  const { scope, integrationId, input } = asked
  const { integration, delivery } = await kernel.db.tenant(scope, async (tx) => {
    const found = await integrations.need(tx, integrationId)
    if (found.status === 'archived') throw errors.notActive({ status: found.status })
    const message = await testMessage(services, tx, { integration: found, input })
    const row: DeliveryRow = {
      ...newDelivery(kernel, tx, { integration: found, kind: 'test', message }),
      ...{ status: 'delivering', next_attempt_at: null },
    }
    await insertMany(tx, deliveries, [row])
    await tx.audit('platform.delivery.create', { target: `platform_delivery:${row.id}`, after: deliveryView(row) })
    return { integration: found, delivery: row }
  })
  const startedAt = kernel.clock.iso()
  const outcome = await attempt(services, scope.tenantId, { delivery, integration })
  const settled = await kernel.db.tenant(scope, (tx) =>
    settle(kernel, tx, { id: delivery.id, startedAt, outcome, once: true }),
  )
  if (outcome.delivered) return deliveryView(settled)
  const last = settled.attempts.at(-1)
  const said = last === undefined || last.response_excerpt === '' ? '' : ` It said: ${last.response_excerpt}`
  throw errors.testFailed({
    what: `The destination took no message: ${last?.error ?? 'no answer'}.${said}`.slice(0, 900),
  })
}

interface Sample {
  readonly integration: IntegrationRow
  readonly input: Pick<NewDelivery, 'sample_channel' | 'title'>
}

async function testMessage(
  { kernel }: PlatformServices,
  tx: Tx,
  { integration, input }: Sample,
): Promise<OutgoingMessage> {
  const { sample_channel: channel, title = 'Test message from Parapet' } = input
  if (channel === undefined)
    return messageOfOwn(
      {
        ...{ id: kernel.random.uuid(), kind: 'test', tenantId: tx.tenantId, at: kernel.clock.iso(), severity: 'info' },
        ...{ title, text: `Sent to test the integration ${integration.name}.` },
        ...{ path: '/integrations', key: `platform.integration/${integration.id}`, data: { test: true } },
      },
      kernel.config,
    )
  const event = await tx.first(newestOf({ tenantId: tx.tenantId, channel }))
  if (event === null)
    throw errors
      .nothingToReplay({ what: `No event of ${channel} is kept. Choose another channel, or leave it out.` })
      .at([{ detail: 'has no event that is kept', pointer: '/sample_channel' }])
  return { ...messageOfEvent(event, kernel.config), kind: 'test' }
}

/** @throws API-001, API-013, PLAT-018, PLAT-022 */
export async function replayDeliveries(services: PlatformServices, asked: Asked): Promise<{ readonly queued: number }> {
  const { kernel } = services
  const { scope, integrationId, input } = asked
  return kernel.db.tenant(scope, async (tx) => {
    const integration = await integrations.need(tx, integrationId)
    if (integration.status !== 'active') throw errors.notActive({ status: integration.status })
    const at = kernel.clock.iso()
    const queued = await tx.execute(sql`
      update platform_delivery set status = 'pending', tries = 0, next_attempt_at = ${at}, updated_at = ${at}
      where id in (
        select id from platform_delivery where integration_id = ${integrationId} and message is not null
          and kind <> 'test' and status in ('delivered', 'dead', 'cancelled') and ${choice(input)}
        order by created_at desc limit 1000)`)
    if (queued === 0)
      throw errors.nothingToReplay({
        what: 'None of the deliveries has ended, or their messages are no longer kept (30 days).',
      })
    await askForAttempts(tx, integration.id)
    await tx.audit('platform.delivery.create', {
      target: `platform_integration:${integrationId}`,
      after: { replay: input, queued },
    })
    return { queued }
  })
}

/** @throws API-001 unless exactly one choice is made */
function choice({ delivery_ids: ids, since, all_dead: allDead }: NewDelivery) {
  const chosen = [ids !== undefined, since !== undefined, allDead === true].filter(Boolean).length
  if (chosen !== 1)
    throw apiErrors
      .validation({ what: 'A replay names `delivery_ids`, `since` or `all_dead`: one of them.' })
      .at([{ detail: 'Name one of delivery_ids, since and all_dead.', pointer: '/kind' }])
  if (ids !== undefined) return sql`id = any(${[...ids]}::uuid[])`
  return since === undefined ? sql`status = 'dead'` : sql`created_at >= ${since}`
}
