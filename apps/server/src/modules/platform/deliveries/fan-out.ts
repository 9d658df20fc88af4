/**
 * Events become deliveries of the integrations that want to hear of their channels. A tenant without subscriptions costs
 * nothing: the log is asked for events that somebody wants. An integration never hears of its own failures. Tested in
 * deliveries.test.ts.
 */
import { CelFault, compileCel, createCelReader } from '../../../kernel/cel/program.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { eventVariables, variablesOf } from '../declared/event-variables.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { integrations } from '../declared/integration-tables.ts'
import { messageOfEvent } from '../declared/message.ts'
import { hears } from '../declared/patterns.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { type DeliveryRequest, queueDeliveries } from './queue.ts'

export const fanOut: EventHandlerDeclaration<PlatformServices> = {
  name: 'platform.deliveries',
  channels: ['*'],
  interest: () => sql`exists (
    select from platform_subscription wish
    where wish.tenant_id = event.tenant_id and wish.owner = 'integration' and event.channel like wish.pattern)`,
  handle: async ({ tx, events, kernel }) => {
    const active = await tx.query(sql<IntegrationRow>`
      select ${integrations.columns} from platform_integration where status = 'active' and cardinality(events) > 0
      order by created_at, id`)
    await queueDeliveries(
      kernel,
      tx,
      events.flatMap((event) => requestsFor(kernel, event, active)),
    )
  },
}

function requestsFor(
  { config }: EventBatch<PlatformServices>['kernel'],
  event: LoggedEvent,
  active: readonly IntegrationRow[],
): readonly DeliveryRequest[] {
  const wanted = active.filter((integration) => wants(integration, event))
  if (wanted.length === 0) return []
  const message = messageOfEvent(event, config)
  return wanted.map((integration) => ({ integration, kind: 'event', message, eventId: event.id }))
}

export const readFilter = createCelReader((source: string) => compileCel(source, eventVariables))

/** A filter that cannot be decided for an event lets it through: a field that is missing must not hide an event. */
function wants({ id, events, filter }: IntegrationRow, event: LoggedEvent): boolean {
  if (!hears(events, event.channel) || event.data.integration_id === id) return false
  if (filter === null) return true
  const compiled = readFilter(filter)
  if (!compiled.ok) return true
  try {
    return compiled.condition.holds(variablesOf(event))
  } catch (error) {
    if (error instanceof CelFault) return true
    throw error
  }
}
