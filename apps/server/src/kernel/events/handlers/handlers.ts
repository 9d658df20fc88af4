/**
 * Runs the modules' event handlers from the event log: at least once per event, in order per tenant, each in a tenant
 * transaction together with the note that it was handled, so that a repeated event changes nothing. One instance works
 * for a handler at a time, and a failing event holds up its own tenant only. Tested in handlers.test.ts.
 */

import type { SystemTx } from '../../db/port.ts'
import { type SqlPart, sql } from '../../db/sql.ts'
import type { Activity } from '../../lifecycle/activity.ts'
import { createLoop, type Loop } from '../../lifecycle/loop.ts'
import type { EventHandlerDeclaration } from '../../module/module.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { isPattern, matches } from '../catalogue/pattern.ts'
import { headPosition, loggedEvent } from '../log.ts'
import { type Backlog, type BacklogEntry, parkExpired, readBacklog, settle } from './backlog.ts'
import { attempt, defer, type HandlerParts, handleTenantEvents, type RegisteredHandler } from './handle.ts'

export type { HandlerParts, RegisteredHandler } from './handle.ts'

export interface Handlers extends Activity {
  /** There are events of these channels; without any, of channels that are not known. */
  wake(channels?: readonly string[]): void
}

interface HandlerLoop {
  readonly channels: readonly string[]
  readonly loop: Loop
}

const pageSize = 200
/** Milliseconds in which news gather: a look is a transaction for each handler, however little there is to see. */
const gatherMs = 100
/** One page of one handler must end within this time, or another instance may repeat it. */
const leaseSeconds = 20

export function createHandlers(parts: HandlerParts): Handlers {
  const loops: readonly HandlerLoop[] = parts.handlers.map((handler) => ({
    channels: handler.declaration.channels,
    loop: createLoop({
      name: `event handler ${handler.declaration.name}`,
      clock: parts.clock,
      log: parts.log,
      everyMs: parts.pollMs ?? 1_000,
      gatherMs,
      run: (signal) => runHandler(parts, handler, signal),
    }),
  }))
  return {
    name: 'event handlers',
    wake: (moved) => {
      for (const { channels, loop } of loops)
        if (moved === undefined || channels.some((name) => moved.some((channel) => matches(name, channel)))) loop.wake()
    },
    start: async () => {
      for (const { loop } of loops) loop.start()
    },
    stop: async () => {
      await Promise.all(loops.map(({ loop }) => loop.stop()))
      await releaseLeases(parts)
    },
  }
}

async function runHandler(parts: HandlerParts, handler: RegisteredHandler, signal: AbortSignal): Promise<boolean> {
  const { name } = handler.declaration
  const found = await look(parts, handler)
  if (found === null) return false
  const { page, backlog } = found
  const settled = backlog.tenants.size === 0 ? 0 : await retryOwed(parts, handler, backlog.due)
  if (page.events.length === 0) return settled > 0
  const owed = settled === 0 ? backlog.tenants : await owedTenants(parts, name)
  for (const [index, [tenantId, events]] of [...byTenant(page.events)].entries()) {
    // Nothing is lost by leaving early: the position stays, and handled events are known.
    const worked = index > 0 || backlog.due.length > 0
    if (signal.aborted || (worked && !(await renewLease(parts, name)))) return false
    if (owed.has(tenantId)) await defer(parts, handler, events)
    else await handleTenantEvents(parts, handler, events)
  }
  await parts.db.system('event handler', (tx) => keepPosition(tx, { name, node: parts.node, position: page.through }))
  return page.full || settled > 0
}

async function owedTenants(parts: HandlerParts, name: string): Promise<ReadonlySet<string>> {
  const backlog = await parts.db.system('event handler', (tx) => readBacklog(tx, name, parts.clock.iso()))
  return backlog.tenants
}

async function retryOwed(
  parts: HandlerParts,
  handler: RegisteredHandler,
  due: readonly BacklogEntry[],
): Promise<number> {
  const { name } = handler.declaration
  if (due.length === 0) return parkExpired(parts.db, name)
  let settled = 0
  for (const entry of due) {
    if (!(await attempt(parts, handler, entry))) continue
    await settle(parts.db, name, entry.event)
    settled += 1
  }
  return settled
}

function byTenant(events: readonly LoggedEvent[]): ReadonlyMap<string, readonly LoggedEvent[]> {
  const groups = new Map<string, LoggedEvent[]>()
  for (const event of events) {
    const group = groups.get(event.tenantId)
    if (group === undefined) groups.set(event.tenantId, [event])
    else group.push(event)
  }
  return groups
}

interface HandlerPage {
  readonly events: readonly LoggedEvent[]
  /** Position that is reached when the events are handled. */
  readonly through: number
  readonly full: boolean
}

interface Look {
  readonly page: HandlerPage
  readonly backlog: Backlog
}

/**
 * All that a handler has to know in one transaction, since most looks find nothing that concerns it; past that the
 * position is moved at once. Null when another instance works for it.
 */
function look(parts: HandlerParts, { declaration }: RegisteredHandler): Promise<Look | null> {
  const { name } = declaration
  return parts.db.system('event handler', async (tx) => {
    const position = await takeLease(tx, name, parts.node)
    if (position === null) return null
    const [backlog, page] = await Promise.all([
      readBacklog(tx, name, parts.clock.iso()),
      readPage(tx, position, declaration),
    ])
    const skipped = page.events.length === 0 && page.through > position
    if (skipped) await keepPosition(tx, { name, node: parts.node, position: page.through })
    return { page, backlog }
  })
}

/** The head is read first: the next page finds events logged after it. */
async function readPage(tx: SystemTx, position: number, declaration: Concern): Promise<HandlerPage> {
  const [head, events] = await Promise.all([
    tx.first(headPosition),
    tx.query(sql<LoggedEvent>`
      select ${loggedEvent} from event_log event
      where position > ${position} and ${concerns(declaration)}
      order by position limit ${pageSize}`),
  ])
  const last = events.at(-1)?.position ?? position
  const full = events.length === pageSize
  return { events, full, through: full ? last : Math.max(last, head?.position ?? 0) }
}

type Concern = Pick<EventHandlerDeclaration<unknown>, 'channels' | 'interest'>

/** A condition on `event`, a row of the log: whether the handler is given it. */
export function concerns({ channels, interest }: Concern): SqlPart {
  return interest === undefined ? ofChannels(channels) : sql`${ofChannels(channels)} and ${interest()}`
}

function ofChannels(channels: readonly string[]): SqlPart {
  if (channels.includes('*')) return sql`true`
  const prefixes = channels.filter(isPattern).map((pattern) => pattern.slice(0, -1))
  const names = sql`channel = any(${channels.filter((name) => !isPattern(name))}::text[])`
  return prefixes.length === 0 ? names : sql`(${names} or channel ^@ any(${prefixes}::text[]))`
}

/** The handler's position when this node may work for it, else null. A new handler begins at the present. */
async function takeLease(tx: SystemTx, name: string, node: string): Promise<number | null> {
  const row = await tx.first(sql<{ position: number }>`
    insert into handler_position as h (name, position, owner, lease_until)
    select ${name}::text, position, ${node}::text, clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from event_head where id = 1
    on conflict (name) do update set owner = excluded.owner, lease_until = excluded.lease_until
    where h.owner is null or h.owner = excluded.owner or h.lease_until < clock_timestamp()
    returning h.position`)
  return row?.position ?? null
}

async function renewLease(parts: HandlerParts, name: string): Promise<boolean> {
  return (await parts.db.system('event handler', (tx) => takeLease(tx, name, parts.node))) !== null
}

interface Reached {
  readonly name: string
  readonly node: string
  readonly position: number
}

async function keepPosition(tx: SystemTx, { name, node, position }: Reached): Promise<void> {
  await tx.execute(sql`
    update handler_position set position = ${position}
    where name = ${name} and owner = ${node} and position < ${position}`)
}

async function releaseLeases(parts: HandlerParts): Promise<void> {
  try {
    await parts.db.system('event handler', (tx) =>
      tx.execute(sql`update handler_position set owner = null, lease_until = null where owner = ${parts.node}`),
    )
  } catch (error) {
    parts.log.warn({ err: error }, 'handler leases could not be given back and will run out')
  }
}
