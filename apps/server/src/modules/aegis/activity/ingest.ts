/**
 * Stores events of an agent: once each, in their sessions, with the models and tools used. One transaction takes a
 * batch whole or not at all, and batches of one agent follow each other. Tested in activity.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany, recordset } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AgentRow } from '../agents/schema.ts'
import { type Placed, place, sessionKey } from '../sessions/place.ts'
import type { SessionRow } from '../sessions/schema.ts'
import { sessions } from '../sessions/tables.ts'
import { joinCalls } from './join-calls.ts'
import type { ActivityRecord } from './record/record.ts'
import { activity } from './tables.ts'
import { noteUses } from './uses.ts'

export interface Ingested {
  readonly accepted: number
  readonly duplicates: number
}

type Parts = Pick<Kernel, 'clock' | 'random'>

export async function ingest(
  kernel: Parts,
  tx: Tx,
  { agent, records }: { readonly agent: AgentRow; readonly records: readonly ActivityRecord[] },
): Promise<Ingested> {
  if (records.length === 0) return { accepted: 0, duplicates: 0 }
  await tx.lock('aegis_activity', agent.id)
  const fresh = await withoutStored(tx, agent.id, records)
  if (fresh.length > 0) {
    const { records: joined, uses } = await joinCalls(tx, agent.id, fresh)
    const placed = place({
      agentId: agent.id,
      tenantId: tx.tenantId,
      open: await openSessions(tx, agent.id, joined),
      records: joined.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)),
      at: kernel.clock.iso(),
      newId: kernel.random.uuid,
    })
    await store(tx, agent.id, placed)
    await noteUses(kernel, tx, { agent, records: uses })
  }
  return { accepted: fresh.length, duplicates: records.length - fresh.length }
}

/**
 * Each event once: not those that are stored, and of the batch the first. One look-up for each id: before a new table
 * has statistics, a planner compares every stored event with every id.
 */
async function withoutStored(
  tx: Tx,
  agentId: string,
  records: readonly ActivityRecord[],
): Promise<readonly ActivityRecord[]> {
  const first = new Map<string, ActivityRecord>()
  for (const record of records) if (!first.has(record.event_id)) first.set(record.event_id, record)
  const ids = [...first.keys()]
  const stored = await tx.query(
    sql<{ event_id: string }>`
      select known.event_id from unnest(${ids}::text[]) as given (event_id), lateral (
        select event_id from aegis_activity where agent_id = ${agentId} and event_id = given.event_id limit 1) as known`,
  )
  for (const { event_id } of stored) first.delete(event_id)
  return [...first.values()]
}

function openSessions(tx: Tx, agentId: string, records: readonly ActivityRecord[]): Promise<readonly SessionRow[]> {
  const keys = [...new Set(['w', ...records.map(sessionKey)])]
  const traces = [...new Set(records.flatMap(({ trace_id }) => trace_id ?? []))]
  return tx.query(
    sql<SessionRow>`
      select ${sessions.columns} from aegis_session
      where agent_id = ${agentId} and status = 'open'
        and (key in (select unnest(${keys}::text[])) or trace_id in (select unnest(${traces}::text[])))
      order by last_event_at desc limit 20000
      for update`,
  )
}

async function store(tx: Tx, agentId: string, { events, sessions: rows, opened }: Placed): Promise<void> {
  const changed = rows.filter(({ id }) => !opened.has(id))
  // Closed ones first: a key belongs to one open session at a time.
  if (changed.length > 0) await updateSessions(tx, changed)
  await insertMany(
    tx,
    sessions,
    rows.filter(({ id }) => opened.has(id)),
  )
  await insertMany(
    tx,
    activity,
    events.map((event) => ({ ...event, tenant_id: tx.tenantId, agent_id: agentId, labels: [...event.labels] })),
  )
}

function updateSessions(tx: Tx, rows: readonly SessionRow[]): Promise<number> {
  return tx.execute(sql`
    update aegis_session held set
      updated_at = row.updated_at, labels = row.labels, status = row.status, calls = row.calls, denied = row.denied,
      errors = row.errors, tokens_in = row.tokens_in, tokens_out = row.tokens_out, cost = row.cost,
      next_seq = row.next_seq, started_at = row.started_at, last_event_at = row.last_event_at, ended_at = row.ended_at
    from ${recordset(sessions, rows)} as row
    where held.id = row.id`)
}
