/**
 * Where delivery of a channel begins: at the present, at the oldest kept event, or behind the event a client names. A
 * position that is no longer kept becomes a gap, told explicitly, and never a silent loss. Tested in resume.test.ts.
 */
import type { TenantId } from '../../access/actor.ts'
import type { Database, Tx } from '../../db/port.ts'
import { sql } from '../../db/sql.ts'

export interface Start {
  /** Delivery begins behind this sequence. */
  readonly sequence: number
  /** The newest event at that moment. */
  readonly newest: { readonly id: string; readonly sequence: number } | null
  /** The replayed events, when the client asked for a position. */
  readonly replay: { readonly from: string | null; readonly through: number; readonly count: number } | null
  readonly gap: Gap | null
}

export interface Gap {
  readonly requested: string | null
  readonly oldest: string | null
  readonly reason: 'expired' | 'unknown'
}

/**
 * The start that a client asks for: one position for all channels, one by channel, or sequences the server kept for it.
 */
export interface Wanted {
  readonly resume?: string | Readonly<Record<string, string>> | undefined
  readonly stored?: Readonly<Record<string, number>>
}

export interface StartRequest {
  readonly tenantId: TenantId
  readonly channels: readonly string[]
  readonly wanted: Wanted
  /** Unix milliseconds before which a channel's events are past their time. */
  readonly keptSince: (channel: string) => number
}

export const earliest = 'earliest'
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** False for a resume position that no event id can be. */
export function isResumePosition(resume: Wanted['resume']): boolean {
  if (resume === undefined) return true
  const positions = typeof resume === 'string' ? [resume] : Object.values(resume)
  return positions.every((position) => position === earliest || uuidForm.test(position))
}

export function findStarts(db: Pick<Database, 'tenant'>, request: StartRequest): Promise<Map<string, Start>> {
  return db.tenant({ tenantId: request.tenantId, readOnly: true }, async (tx) => {
    const edges = await channelEdges(tx, request.channels)
    const named = await namedEvents(tx, request.wanted.resume)
    const floors = await floorsOf(tx, { request, named })
    return new Map(edges.map((edge) => [edge.channel, startOf(edge, { request, named, floors })]))
  })
}

interface Edge {
  readonly channel: string
  readonly counted: number | null
  readonly newestId: string | null
  readonly newestSequence: number | null
  readonly oldestId: string | null
  readonly oldestSequence: number | null
}

function channelEdges(tx: Tx, channels: readonly string[]): Promise<readonly Edge[]> {
  const ofChannel = sql`from event_log l where l.tenant_id = ${tx.tenantId} and l.channel = c.channel`
  return tx.query(sql<Edge>`
    select c.channel, p.sequence as counted, newest.id as "newestId", newest.sequence as "newestSequence",
      oldest.id as "oldestId", oldest.sequence as "oldestSequence"
    from unnest(${[...channels]}::text[]) as c(channel)
    left join event_position p on p.tenant_id = ${tx.tenantId} and p.channel = c.channel
    left join lateral (select id, sequence ${ofChannel} order by sequence desc limit 1) newest on true
    left join lateral (select id, sequence ${ofChannel} order by sequence limit 1) oldest on true`)
}

interface NamedEvent {
  readonly id: string
  readonly channel: string
  readonly sequence: number
  readonly position: number
}

async function namedEvents(tx: Tx, resume: Wanted['resume']): Promise<Map<string, NamedEvent>> {
  const ids = (typeof resume === 'string' ? [resume] : Object.values(resume ?? {})).filter((id) => id !== earliest)
  if (ids.length === 0) return new Map()
  const rows = await tx.query(sql<NamedEvent>`
    select id, channel, sequence, position from event_log
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

interface Known {
  readonly request: StartRequest
  readonly named: ReadonlyMap<string, NamedEvent>
}

/** For one position over all channels: each channel's last sequence at that position. */
async function floorsOf(tx: Tx, { request, named }: Known): Promise<Map<string, number>> {
  const { resume } = request.wanted
  const event = typeof resume === 'string' ? named.get(resume.toLowerCase()) : undefined
  if (event === undefined) return new Map()
  const rows = await tx.query(sql<{ channel: string; sequence: number }>`
    select c.channel, f.sequence
    from unnest(${[...request.channels]}::text[]) as c(channel)
    cross join lateral (
      select sequence from event_log l
      where l.tenant_id = ${tx.tenantId} and l.channel = c.channel and l.position <= ${event.position}
      order by sequence desc limit 1) f`)
  return new Map(rows.map((row) => [row.channel, row.sequence]))
}

function startOf(edge: Edge, known: Known & { readonly floors: ReadonlyMap<string, number> }): Start {
  const { resume, stored } = known.request.wanted
  const newest =
    edge.newestId === null || edge.newestSequence === null ? null : { id: edge.newestId, sequence: edge.newestSequence }
  const end = edge.newestSequence ?? edge.counted ?? 0
  const begin = edge.oldestSequence === null ? end : edge.oldestSequence - 1
  const replay = (from: string | null, sequence: number, gap: Gap | null = null): Start => {
    return { sequence, newest, replay: { from, through: end, count: end - sequence }, gap }
  }
  const gapAt = (requested: string | null, reason: Gap['reason']): Start =>
    replay(requested, begin, { requested, oldest: edge.oldestId, reason })

  const asked = typeof resume === 'string' ? resume : resume?.[edge.channel]
  if (asked === undefined) {
    const kept = stored?.[edge.channel]
    if (resume !== undefined || kept === undefined) return { sequence: end, newest, replay: null, gap: null }
    return kept < begin ? gapAt(null, 'expired') : replay(null, Math.min(kept, end))
  }
  if (asked === earliest) return replay(null, begin)
  const event = known.named.get(asked.toLowerCase())
  if (event === undefined || (typeof resume !== 'string' && event.channel !== edge.channel)) {
    return gapAt(asked, reasonOf(asked, known.request.keptSince(edge.channel)))
  }
  const floor = event.channel === edge.channel ? event.sequence : known.floors.get(edge.channel)
  if (floor !== undefined) return replay(asked, Math.max(floor, begin))
  // Nothing that old is kept in this channel: removed events may have come after the named one.
  return begin > 0 ? gapAt(asked, 'expired') : replay(asked, begin)
}

/** The time inside a UUID v7 tells an event that has gone from one that never was. */
function reasonOf(id: string, keptSince: number): Gap['reason'] {
  const madeAt = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  return madeAt < keptSince ? 'expired' : 'unknown'
}
