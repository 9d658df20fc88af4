import type { TenantId } from '../../access/actor.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, Tx } from '../../db/port.ts'
import { sql } from '../../db/sql.ts'
import type { Faults } from '../../faults/seams.ts'
import type { Kernel } from '../../kernel.ts'
import type { LoopLog } from '../../lifecycle/loop.ts'
import type { EventHandlerDeclaration } from '../../module/module.ts'
import type { Meter } from '../../observe/meter.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { injectedMark, owe } from './backlog.ts'

export interface RegisteredHandler {
  readonly declaration: EventHandlerDeclaration<unknown>
  readonly services: unknown
}

export interface HandlerParts {
  /** Milliseconds between polls; default 1,000. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly clock: Clock
  readonly log: LoopLog
  readonly meter: Meter
  /** This process among its peers. */
  readonly node: string
  readonly handlers: readonly RegisteredHandler[]
  /** Where faults are injected into deliveries to tenants' handlers; default nowhere. */
  readonly faults?: Faults
  /** Late, because handlers are registered while the kernel is being made. */
  readonly kernel: () => Kernel
}

const mostAttempts = 10
const longestPauseMs = 300_000

/**
 * Handles events of one tenant in one transaction. When that fails each is tried alone, so that one bad event does not
 * condemn its neighbors; the first that fails alone is owed and the ones behind it wait for it.
 * @returns false when something is owed now
 */
export async function handleTenantEvents(
  parts: HandlerParts,
  handler: RegisteredHandler,
  events: readonly LoggedEvent[],
): Promise<boolean> {
  const [first, ...rest] = events
  if (first === undefined) return true
  if (rest.length === 0) return attempt(parts, handler, { event: first, attempts: 0, again: false })
  // Behind an armed seam each event has a fate of its own.
  if (parts.faults?.seams.bus === undefined && (await handledTogether(parts, handler, events))) return true
  for (const [index, event] of events.entries()) {
    if (await attempt(parts, handler, { event, attempts: 0, again: false })) continue
    await defer(parts, handler, events.slice(index + 1))
    return false
  }
  return true
}

async function handledTogether(
  parts: HandlerParts,
  handler: RegisteredHandler,
  events: readonly LoggedEvent[],
): Promise<boolean> {
  try {
    await handleOnce(parts, handler, events)
    parts.meter.count('event_handled_total', events.length)
    return true
  } catch (error) {
    parts.log.warn({ err: error, handler: handler.declaration.name, events: events.length }, 'a batch of events failed')
    return false
  }
}

/** Puts events behind the ones that their tenant is already owed. */
export async function defer(
  parts: HandlerParts,
  handler: RegisteredHandler,
  events: readonly LoggedEvent[],
): Promise<void> {
  const wait = { handler: handler.declaration.name, attempts: 0, nextAt: parts.clock.iso(), parked: false, error: null }
  for (const event of events) await owe(parts.db, { ...wait, event })
}

/**
 * Tries one event alone. A failure is owed with a growing pause, or set aside after the last attempt.
 * @returns false when it failed
 */
export async function attempt(parts: HandlerParts, handler: RegisteredHandler, entry: Attempted): Promise<boolean> {
  try {
    const times = await passSeam(parts, handler, entry)
    if (times === 0) return false
    for (let time = 0; time < times; time += 1) await handleOnce(parts, handler, [entry.event])
    parts.meter.count('event_handled_total')
    return true
  } catch (error) {
    await recordFailure(parts, handler, { ...entry, error })
    return false
  }
}

interface Attempted {
  readonly event: LoggedEvent
  readonly attempts: number
  /** An injected fault held it back before. */
  readonly again: boolean
}

/** Milliseconds after which an event that an injected fault holds back is looked at again. */
const heldBackMs = 1_000

/**
 * The seam `bus`. An event that is to come later is owed, as after a failure, so that its tenant waits and no other one,
 * and is looked at every second, so that the end of the fault lets it go. An injected failure spends no attempt, so that
 * no experiment parks an event. Gives how often the event is delivered now.
 */
async function passSeam(
  { faults, db, clock }: HandlerParts,
  { declaration: { name } }: RegisteredHandler,
  { event, attempts, again }: Attempted,
): Promise<number> {
  const hook = faults?.seams.bus
  if (hook === undefined) return 1
  const fault = hook({ tenantId: event.tenantId, target: name, requestId: event.id, again })
  if (fault === null || fault.release?.aborted === true) return 1
  const { delayMs = 0, failure, twice = false } = fault
  const leftMs = failure === undefined ? Date.parse(event.time) + delayMs - clock.now() : heldBackMs
  if (leftMs <= 0) return twice ? 2 : 1
  const nextAt = new Date(clock.now() + Math.min(leftMs, heldBackMs)).toISOString()
  const error = `${injectedMark} ${failure?.kind ?? 'delay'}`
  await owe(db, { handler: name, event, attempts, nextAt, parked: false, error })
  return 0
}

async function recordFailure(
  parts: HandlerParts,
  handler: RegisteredHandler,
  failure: { readonly event: LoggedEvent; readonly attempts: number; readonly error: unknown },
): Promise<void> {
  const { event, error } = failure
  const attempts = failure.attempts + 1
  const parked = attempts >= mostAttempts
  const pauseMs = Math.min(longestPauseMs, 1_000 * 2 ** failure.attempts)
  const nextAt = new Date(parts.clock.now() + pauseMs).toISOString()
  // Throws when the database is away: the whole run is then repeated and no attempt is spent.
  await owe(parts.db, { handler: handler.declaration.name, event, attempts, nextAt, parked, error: describe(error) })
  parts.meter.count(parked ? 'event_parked_total' : 'event_retried_total')
  const facts = { err: error, handler: handler.declaration.name, event: event.id, tenant: event.tenantId, attempts }
  if (parked) parts.log.error(facts, 'an event could not be handled and is set aside')
  else parts.log.warn(facts, 'an event handler failed and will be tried again')
}

async function handleOnce(
  parts: HandlerParts,
  handler: RegisteredHandler,
  events: readonly LoggedEvent[],
): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const causationDepth = Math.max(...events.map((event) => event.causationDepth)) + 1
  const scope = { tenantId: first.tenantId as TenantId, origin: { traceparent: first.traceparent, causationDepth } }
  await parts.db.tenant(scope, async (tx) => {
    const fresh = await unhandled(tx, { handler: handler.declaration.name, events })
    if (fresh.length === 0) return
    await handler.declaration.handle({ tx, events: fresh, services: handler.services, kernel: parts.kernel() })
  })
}

/**
 * Moves the tenant's place behind the last of the events in this transaction and answers those that lay before it. A
 * tenant's events come to a handler in the order of their positions, those that are owed too, so one place says it all.
 */
async function unhandled(
  tx: Tx,
  { handler, events }: { readonly handler: string; readonly events: readonly LoggedEvent[] },
): Promise<readonly LoggedEvent[]> {
  const last = Math.max(...events.map(({ position }) => position))
  const moved = await tx.first(sql<{ prior: number | null }>`
    insert into handled_through as h (tenant_id, handler, position) values (${tx.tenantId}, ${handler}, ${last})
    on conflict (tenant_id, handler) do update set prior = h.position, position = excluded.position
    where h.position < excluded.position
    returning prior`)
  if (moved === null) return []
  const { prior } = moved
  return prior === null ? events : events.filter(({ position }) => position > prior)
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown failure'
}
