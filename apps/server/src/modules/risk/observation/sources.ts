/**
 * Remembers which calls and alerts attempts were counted for, so that a blocked call and the alerts that it raised count
 * once. Tested in feedback/alerts.test.ts.
 */
import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { table } from '../../../kernel/db/table.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import type { Sighting } from './alerts.ts'

export const sources = table({
  name: 'risk_attempt_source',
  noun: 'source',
  row: strictObject({
    tenant_id: Uuid,
    source: Type.String({ maxLength: 128 }),
    alias: nullable(Type.String({ maxLength: 128 })),
    hits: Type.Integer({ minimum: 1 }),
    seen_at: Timestamp,
  }),
  key: ['source'],
  dueBy: ['seen_at'],
  data: { category: 'risk', subject: [], retention: 'P90D', erasure: 'none' },
})

type Known = Pick<Sighting, 'source' | 'alias' | 'hits'>

/** How many hits of each sighting were not counted before, in their order; they are counted from now on. */
export async function newHits(tx: Tx, sightings: readonly Sighting[], now: string): Promise<readonly number[]> {
  const known = await knownOf(tx, sightings)
  const changed = new Map<string, Known>()
  const fresh = sightings.map(({ source, alias, hits }) => {
    const before = known.get(source)
    const most = Math.max(before?.hits ?? 0, hits)
    const after = { source: before?.source ?? source, alias: before?.alias ?? alias, hits: most }
    for (const id of [after.source, after.alias]) if (id !== null) known.set(id, after)
    changed.set(after.source, after)
    return after.hits - (before?.hits ?? 0)
  })
  await remember(tx, [...changed.values()], now)
  return fresh
}

async function knownOf(tx: Tx, sightings: readonly Sighting[]): Promise<Map<string, Known>> {
  const ids = [...new Set(sightings.flatMap(({ source, alias }) => (alias === null ? [source] : [source, alias])))]
  const rows = await tx.query(sql<Known>`
    select source, alias, hits from risk_attempt_source
    where source = any(${ids}::text[]) or alias = any(${ids}::text[])`)
  return new Map(rows.flatMap((row) => [[row.source, row], ...(row.alias === null ? [] : [[row.alias, row] as const])]))
}

async function remember(tx: Tx, rows: readonly Known[], now: string): Promise<void> {
  const sorted = rows.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  await tx.execute(sql`
    insert into risk_attempt_source (source, alias, hits, seen_at)
    select *, ${now}::timestamptz from unnest(${sorted.map(({ source }) => source)}::text[],
      ${sorted.map(({ alias }) => alias)}::text[], ${sorted.map(({ hits }) => hits)}::int[])
    on conflict (tenant_id, source) do update set hits = excluded.hits, seen_at = excluded.seen_at`)
}

/** Forgets at most so many that were seen last at the moment (ISO time) or before it. Answers how many went. */
export function forgetSources(tx: Tx, before: string, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from risk_attempt_source where source in (
      select source from risk_attempt_source where seen_at <= ${before} order by seen_at limit ${limit})`)
}
