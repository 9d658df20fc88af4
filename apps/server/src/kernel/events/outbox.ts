/**
 * How an event enters the system: one insert into `outbox` inside the transaction that causes it, so that the event
 * exists exactly when the change does. Nothing is sent from here; the relay does that. Tested in relay.test.ts.
 */

import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { RecordContext } from '../db/recorders.ts'
import { insertRows } from '../db/rows.ts'
import { type Insert, json, sql } from '../db/sql.ts'
import { fits } from '../schema/fits.ts'
import type { EventData, EventDefinition } from './catalogue/catalogue.ts'
import { outbox } from './tables.ts'

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

/** One row of the outbox, apart from columns that the database adds. */
export interface OutboxRow {
  readonly tenant_id: TenantId
  readonly id: string
  readonly channel: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly data: Readonly<Record<string, unknown>>
  readonly traceparent: string | null
  readonly causation_depth: number
}

export interface Occurrence<E extends EventDefinition> {
  readonly definition: E
  readonly subject: string
  readonly data: EventData<E>
}

/**
 * One event. `tenant_id` is added to the data here and nowhere else.
 * @throws TypeError when the payload is not what the channel declares, RangeError when a chain of causes is too long or
 * the data is over 64 KiB
 */
export function outboxRow<E extends EventDefinition>(
  parts: OutboxParts,
  context: RecordContext,
  { definition, subject, data }: Occurrence<E>,
): OutboxRow {
  if (parts.check) expectPayload(definition, data)
  const depth = context.origin.causationDepth
  if (depth > deepestCausation) {
    throw new RangeError(`${definition.channel}: ${depth} events caused one another; this is a loop`)
  }
  const told = Object.assign({}, data, { tenant_id: context.tenantId })
  const size = Buffer.byteLength(json(told))
  if (size > largestDataBytes) {
    throw new RangeError(`${definition.channel}: an event carries facts, not content; this one has ${size} bytes`)
  }
  return {
    tenant_id: context.tenantId,
    id: parts.random.uuid(),
    channel: definition.channel,
    type: definition.type,
    subject,
    time: parts.clock.iso(),
    data: told,
    traceparent: context.origin.traceparent,
    causation_depth: depth,
  }
}

/** Adds any number of events, in their order, as part of a statement. */
export function outboxInserts(rows: readonly OutboxRow[]): Insert {
  return { insert: sql`told as (${insertRows(outbox, rows)})` }
}

function expectPayload(definition: EventDefinition<TObject>, data: unknown): void {
  if (fits(definition.schema, data)) return
  const [first] = Value.Errors(definition.schema, data)
  throw new TypeError(`${definition.channel}: payload is not as declared: ${JSON.stringify(first)}`)
}
