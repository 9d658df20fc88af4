/**
 * How an event enters the system: one insert into `outbox` inside the transaction that causes it, so that the event
 * exists exactly when the change does. Nothing is sent from here; the relay does that. Tested in relay.test.ts.
 */
import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { TenantId } from '../auth/actor.ts'
import type { Random } from '../crypto/random.ts'
import type { Origin } from '../db/port.ts'
import { json, type Sql, sql } from '../db/sql.ts'
import type { Clock } from '../kernel.ts'
import type { EventData, EventDefinition } from './catalogue.ts'

/** What a record needs to know about the transaction it is made in. */
export interface RecordContext {
  readonly tenantId: TenantId
  readonly origin: Origin
}

export interface OutboxParts {
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
  /** Validates every payload against its schema; on outside production. */
  readonly check: boolean
}

/** Events that cause events stop here: a deeper chain is taken for a loop. */
export const deepestCausation = 16

/** Every event fits into one frame of the WebSocket with room for its envelope. */
export const largestDataBytes = 65_536

/**
 * The statement that adds one event to the outbox. `tenant_id` is added to the data here and nowhere else.
 * @throws TypeError when the payload is not what the channel declares, RangeError when a chain of causes is too long or the data is over 64 KiB
 */
export function outboxInsert<E extends EventDefinition>(
  parts: OutboxParts,
  context: RecordContext,
  event: { readonly definition: E; readonly subject: string; readonly data: EventData<E> },
): Sql {
  const { definition, subject, data } = event
  if (parts.check) expectPayload(definition, data)
  const depth = context.origin.causationDepth
  if (depth > deepestCausation) {
    throw new RangeError(`${definition.channel}: ${depth} events caused one another; this is a loop`)
  }
  const body = json({ ...data, tenant_id: context.tenantId })
  if (Buffer.byteLength(body) > largestDataBytes) {
    throw new RangeError(
      `${definition.channel}: an event carries facts, not content; this one has ${body.length} characters`,
    )
  }
  return sql`
    insert into outbox (tenant_id, id, channel, type, subject, time, data, traceparent, causation_depth)
    values (${context.tenantId}, ${parts.random.uuid()}, ${definition.channel}, ${definition.type}, ${subject},
      ${parts.clock.iso()}, ${body}, ${context.origin.traceparent}, ${depth})`
}

function expectPayload(definition: EventDefinition<TObject>, data: unknown): void {
  if (Value.Check(definition.schema, data)) return
  const [first] = Value.Errors(definition.schema, data)
  throw new TypeError(`${definition.channel}: payload is not as declared: ${JSON.stringify(first)}`)
}
