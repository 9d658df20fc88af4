/** Observed attempts, counted by technique and hour. Tested in feedback.test.ts. */
import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { table } from '../../../kernel/db/table.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const attempts = table({
  name: 'risk_attempt',
  noun: 'attempt',
  row: strictObject({
    tenant_id: Uuid,
    technique: Type.String({ maxLength: 100 }),
    hour: Timestamp,
    events: Type.Integer({ minimum: 1 }),
  }),
  key: ['technique', 'hour'],
  data: { category: 'risk', subject: [], retention: 'tenant', erasure: 'none' },
})

const hourMs = 3_600_000

/** Beginning of the hour of a moment, as ISO time: attempts are counted by whole hours. */
export const hourOf = (ms: number): string => new Date(Math.floor(ms / hourMs) * hourMs).toISOString()

export interface Attempt {
  readonly technique: string
  /** ISO time. */
  readonly at: string
  readonly events: number
}

/** Adds to the counts, in one statement and in the order of its keys, so that no two batches wait for each other. */
export async function countAttempts(tx: Tx, observed: readonly Attempt[]): Promise<void> {
  const counts = new Map<string, { technique: string; hour: string; events: number }>()
  for (const { technique, at, events } of observed) {
    const hour = hourOf(Date.parse(at))
    const key = `${technique} ${hour}`
    const counted = counts.get(key)
    if (counted === undefined) counts.set(key, { technique, hour, events })
    else counted.events += events
  }
  const rows = [...counts.values()].sort((a, b) => (a.technique + a.hour < b.technique + b.hour ? -1 : 1))
  await tx.execute(sql`
    insert into risk_attempt (technique, hour, events)
    select * from unnest(${rows.map((row) => row.technique)}::text[], ${rows.map((row) => row.hour)}::timestamptz[],
      ${rows.map((row) => row.events)}::int[])
    on conflict (tenant_id, technique, hour) do update set events = risk_attempt.events + excluded.events`)
}

/** Attempts of the cited techniques and their sub-techniques since a moment (ISO time). */
export async function attemptsSince(tx: Tx, cited: readonly string[], from: string): Promise<number> {
  if (cited.length === 0) return 0
  const row = await tx.first(
    sql<{ events: number }>`
      select coalesce(sum(events), 0)::int as events from risk_attempt
      where hour >= ${from} and exists (
        select from unnest(${[...cited]}::text[]) as cited(id)
        where technique = cited.id or starts_with(technique, cited.id || '.'))`,
  )
  return row?.events ?? 0
}
