/** The journal of an experiment: entries get consecutive numbers, because each writer holds the experiment's row. */
import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ExperimentRow, JournalEntry } from '../declared/experiment-schema.ts'

export interface NewEntry {
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
  /** ISO 8601; default now. */
  readonly at?: string
}

export async function writeJournal(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  experimentId: string,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const now = clock.iso()
  const rows = entries.map((entry, place) => ({ at: now, ...entry, id: random.uuid(), place: place + 1 }))
  await tx.execute(sql`select from resilience_experiment where id = ${experimentId} for update`)
  await tx.execute(sql`
    insert into resilience_journal (tenant_id, id, experiment_id, seq, at, kind, data)
    select ${tx.tenantId}::uuid, noted.id, ${experimentId}::uuid, last.seq + noted.place, noted.at, noted.kind, noted.data
    from jsonb_to_recordset(${json(rows)}) as noted(id uuid, place int, at timestamptz, kind text, data jsonb)
    cross join (
      select coalesce(max(seq), 0) as seq from resilience_journal where experiment_id = ${experimentId}) as last`)
}

const mostShown = 500

/** Entries after a position, at most 500, oldest first. */
export async function readJournal(tx: Tx, { id }: Pick<ExperimentRow, 'id'>, since: number): Promise<JournalEntry[]> {
  const rows = await tx.query(sql<JournalEntry>`
    select seq, at, kind, data from resilience_journal
    where experiment_id = ${id} and seq > ${since} order by seq limit ${mostShown}`)
  return [...rows]
}
