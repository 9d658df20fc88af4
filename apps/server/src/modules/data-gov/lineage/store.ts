/**
 * Stores events of OpenLineage and the flows that hold now: those of the newest complete run of each job. Events come at
 * least once and in any order: the same event counts once, and the flows of a run are those of all its events. Tested in
 * lineage.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { EdgeRow, EventRow, NodeRow } from '../declared/lineage-schema.ts'
import { edges, lineageEvents, nodes } from '../declared/lineage-tables.ts'
import { instantOf, type Json } from '../engine/event-form.ts'
import { type Flow, flowKey, type Place, type ReadEvent, readEvent } from '../engine/read-event.ts'
import { lineageTopic } from './memory.ts'
import { keyOf, type NodeIds, nodeIds, placed } from './nodes.ts'

interface Parts extends Pick<Kernel, 'clock' | 'random'> {
  /** Ids of nodes that events before in the same transaction have asked for. */
  readonly known?: NodeIds
}

/**
 * One writer at a time. The foreign keys of each edge are checked against the nodes, and the planner reads the whole table
 * for each check as long as a growing table has no statistics; here it never does.
 */
export async function beginStoring(tx: Tx): Promise<void> {
  await tx.lock('data_gov.lineage', tx.tenantId)
  await tx.execute(sql`select set_config('enable_seqscan', 'off', true)`)
}

export interface Stored {
  readonly id: string
  readonly duplicate: boolean
  readonly warnings: readonly string[]
}

/** @param event as `formFaults` accepts it */
export async function storeEvent(parts: Parts, tx: Tx, event: Json): Promise<Stored> {
  const read = readEvent(event)
  const row: EventRow = {
    ...{ id: parts.random.uuid(), tenant_id: tx.tenantId, created_at: parts.clock.iso(), digest: canonicalHash(event) },
    ...{ kind: read.kind, event_type: read.eventType, event_time: instantOf(String(event.eventTime)) },
    ...{ job_key: read.job === null ? null : keyOf('job', read.job), run_id: read.runId, event },
  }
  const added = await tx.execute(sql`${insertRows(lineageEvents, [row])} on conflict (tenant_id, digest) do nothing`)
  if (added === 0) {
    const known = await tx.first(
      sql<{ id: string }>`select id from data_gov_lineage_event where digest = ${row.digest}`,
    )
    return { id: known?.id ?? row.id, duplicate: true, warnings: [] }
  }
  await applyEvent(parts, tx, { read, at: row.event_time })
  await tx.announce(lineageTopic, '*')
  return { id: row.id, duplicate: false, warnings: read.warnings }
}

interface Applied {
  readonly read: ReadEvent
  /** ISO 8601. */
  readonly at: string
}

async function applyEvent(parts: Parts, tx: Tx, { read, at }: Applied): Promise<void> {
  const jobs = read.job === null ? [] : [read.job]
  const ids = await nodeIds(parts, tx, [
    ...read.places.map(placed),
    ...jobs.map((place) => ({ kind: 'job' as const, place })),
  ])
  await noteLifecycle(tx, { read, at, ids })
  if (read.job === null) {
    await addEdges(parts, tx, { flows: read.flows, ids, job: null, runId: null, at })
    return
  }
  const job = await jobOf(tx, ids, read.job)
  if (job === null || !isCurrent(read, job, at)) return
  const whole = read.runId === null ? read : await wholeRun(tx, job.key, read)
  const all = await nodeIds(parts, tx, whole.places.map(placed))
  for (const [key, id] of ids) all.set(key, id)
  const ends = read.kind === 'job' || read.eventType === 'COMPLETE'
  await replaceFlows(parts, tx, { job, whole, ids: all, at, ends })
}

/** The newest complete run counts, and what comes late of it; failed runs change nothing. */
function isCurrent({ kind, eventType, runId }: ReadEvent, job: NodeRow, at: string): boolean {
  if (eventType === 'FAIL' || eventType === 'ABORT') return false
  const isNewest = job.run_at === null || orderOf(at, runId) >= orderOf(job.run_at, job.run_id)
  if (kind === 'job') return isNewest
  return (eventType === 'COMPLETE' && isNewest) || (runId !== null && runId === job.run_id)
}

/** Runs that end at the same time count in the order of their ids, so that the order of arrival never matters. */
const orderOf = (at: string, runId: string | null): string => `${new Date(at).toISOString()} ${runId ?? ''}`

/** All events of a run as one. */
async function wholeRun(tx: Tx, jobKey: string, last: ReadEvent): Promise<ReadEvent> {
  const rows = await tx.query(sql<{ event: Json }>`
    select event from data_gov_lineage_event
    where run_id = ${last.runId} and job_key = ${jobKey} and coalesce(event_type, '') not in ('FAIL', 'ABORT')
    order by event_time, digest limit 1000`)
  const listed = (name: string) => rows.flatMap(({ event }) => (Array.isArray(event[name]) ? event[name] : []))
  const [first] = rows
  if (first === undefined) return last
  return readEvent({ ...first.event, inputs: listed('inputs'), outputs: listed('outputs') })
}

const jobOf = (tx: Tx, ids: NodeIds, place: Place): Promise<NodeRow | null> =>
  tx.first(sql<NodeRow>`
    select ${nodes.columns} from data_gov_node where id = ${ids.get(keyOf('job', place)) ?? null} for update`)

interface Lifecycle extends Applied {
  readonly ids: NodeIds
}

async function noteLifecycle(tx: Tx, { read, at, ids }: Lifecycle): Promise<void> {
  const idsOf = (places: readonly Place[]) => places.flatMap((place) => ids.get(keyOf('dataset', place)) ?? [])
  const dropped = idsOf(read.dropped)
  if (dropped.length > 0)
    await tx.execute(sql`update data_gov_node set dropped_at = ${at} where id = any(${dropped}::uuid[])`)
  const back = idsOf(read.outputs).filter((id) => !dropped.includes(id))
  if (back.length > 0)
    await tx.execute(sql`
      update data_gov_node set dropped_at = null where id = any(${back}::uuid[]) and dropped_at < ${at}`)
}

interface Replacing {
  /** The event says that the run is complete. */
  readonly ends: boolean
  readonly job: NodeRow
  readonly whole: ReadEvent
  readonly ids: NodeIds
  readonly at: string
}

async function replaceFlows(parts: Parts, tx: Tx, { job, whole, ids, at, ends }: Replacing): Promise<void> {
  // Late events of a run do not make it end later.
  const isLate = whole.runId !== null && job.run_id === whole.runId && job.run_at !== null
  const until = isLate && !(ends && Date.parse(at) > Date.parse(job.run_at ?? at)) ? (job.run_at ?? at) : at
  const kept = await addEdges(parts, tx, {
    flows: whole.flows,
    ids,
    job: { id: job.id, whole },
    runId: whole.runId,
    at: until,
  })
  await tx.execute(sql`
    update data_gov_edge set valid_to = ${until}, updated_at = ${parts.clock.iso()}
    where job_id = ${job.id} and valid_to is null and not (key = any(${[...kept]}::text[]))`)
  await tx.execute(sql`
    update data_gov_node set run_id = ${whole.runId}, run_at = ${until}, version = version + 1,
      updated_at = ${parts.clock.iso()}
    where id = ${job.id}`)
}

interface Adding {
  readonly flows: readonly Flow[]
  readonly ids: NodeIds
  readonly job: { readonly id: string; readonly whole: ReadEvent } | null
  readonly runId: string | null
  readonly at: string
}

/** Adds edges that do not hold yet; gives the keys of all. */
async function addEdges(
  { clock, random }: Parts,
  tx: Tx,
  { flows, ids, job, runId, at }: Adding,
): Promise<ReadonlySet<string>> {
  const jobId = job?.id ?? null
  const base = {
    tenant_id: tx.tenantId,
    created_at: clock.iso(),
    updated_at: clock.iso(),
    job_id: jobId,
    run_id: runId,
  }
  const idOf = (place: Place) => ids.get(keyOf(place.field === null ? 'dataset' : 'column', place))
  const told = flows.flatMap((flow): EdgeRow[] => {
    const [from, to] = [idOf(flow.from), idOf(flow.to)]
    if (from === undefined || to === undefined) return []
    const { level, type, subtype, masking, source } = flow
    const key = canonicalHash([flowKey(flow), jobId])
    return [
      {
        ...base,
        id: random.uuid(),
        key,
        from_id: from,
        to_id: to,
        level,
        type,
        subtype,
        masking,
        source,
        valid_from: at,
        valid_to: null,
      },
    ]
  })
  const around = job === null ? [] : jobEdges(job, { idOf, base, at, random })
  const rows = [...told, ...around]
  if (rows.length > 0)
    await tx.execute(sql`${insertRows(edges, rows)} on conflict (tenant_id, key) where valid_to is null do nothing`)
  return new Set(rows.map(({ key }) => key))
}

interface Around {
  readonly idOf: (place: Place) => string | undefined
  readonly base: Pick<EdgeRow, 'tenant_id' | 'created_at' | 'updated_at' | 'job_id' | 'run_id'>
  readonly at: string
  readonly random: Parts['random']
}

/** From inputs into the job and from it to outputs. */
function jobEdges({ id, whole }: NonNullable<Adding['job']>, { idOf, base, at, random }: Around): readonly EdgeRow[] {
  const edge = (from: string, to: string): EdgeRow => ({
    ...base,
    ...{ id: random.uuid(), key: canonicalHash(['job', from, to]), from_id: from, to_id: to, level: 'job' },
    ...{ type: null, subtype: null, masking: false, source: 'event', valid_from: at, valid_to: null },
  })
  const known = (places: readonly Place[]) => [...new Set(places.flatMap((place) => idOf(place) ?? []))]
  return [...known(whole.inputs).map((from) => edge(from, id)), ...known(whole.outputs).map((to) => edge(id, to))]
}
