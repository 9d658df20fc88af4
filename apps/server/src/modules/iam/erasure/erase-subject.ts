/**
 * Removes a person's data from tables, found by their declarations: rows of a table whose erasure is `delete` or
 * `crypto_shred` go when its first subject column names the person. All rows of a tenant go in the caller's
 * transaction. Rows under a legal hold stay. Tables that refer to people only by id are left alone, and text written by
 * one person about another is not searched. Tested in modules/iam/erasure/erase.test.ts.
 */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { EventDefinition } from '../../../kernel/events/catalogue/catalogue.ts'

/** Milliseconds a statement may run: a person may have a million rows, and erasing is rare. */
const longest = 60_000

/** Answers how many rows went, by table, those that lost none left out. */
export async function eraseSubject(
  tx: Tx,
  tables: readonly Table[],
  subjectId: string,
): Promise<Readonly<Record<string, number>>> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(longest)}, true)`)
  const counts: Record<string, number> = {}
  for (const { table, owner } of tables.flatMap(owned)) {
    const count = await tx.execute(sql`
      delete from ${table.from} where ${identifier(owner)} = ${subjectId} and ${notHeld(table)}`)
    if (count > 0) counts[table.name] = count
  }
  return counts
}

function owned(table: Table): readonly { readonly table: Table; readonly owner: string }[] {
  const { scope, appendOnly, data } = table
  const [owner] = data.subject
  const goes = data.erasure === 'delete' || data.erasure === 'crypto_shred'
  return goes && owner !== undefined && scope === 'tenant' && !appendOnly ? [{ table, owner }] : []
}

/** Every mail address the audit log knows of a person, in lower case; those they gave up are nowhere else. */
export async function addressesOf(tx: Tx, subjectId: string): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ address: string }>`
    select distinct lower(said.value) as address
    from audit_personal own, jsonb_each_text(own.opened) as said
    where own.subject_id = ${subjectId} and said.value ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(said.value) <= 254`)
  return rows.map(({ address }) => address)
}

/** Erases values in the audit logs of other tenants, where a platform operator was active. */
export async function eraseAbroad(db: Pick<Database, 'system'>, subjectId: string): Promise<number> {
  return db.system('values of an erased person', (tx) =>
    tx.execute(sql`delete from audit_personal where subject_id = ${subjectId}`),
  )
}

export interface ToldWords {
  readonly subject: string
  readonly events: readonly EventDefinition[]
  /** The member of the data that holds the free text. */
  readonly member: string
}

/** Removes free text from published events, queued or logged. */
export async function eraseToldWords(tx: Tx, { subject, events, member }: ToldWords): Promise<void> {
  const channels = events.map(({ channel }) => channel)
  // In the order the relay moves them: a row that leaves the outbox while this waits is found in the log.
  for (const table of ['outbox', 'event_log']) {
    await tx.execute(sql`
      update ${identifier(table)} set data = data || jsonb_build_object(${member}::text, null)
      where channel = any(${channels}::text[]) and subject = ${subject} and data ->> ${member}::text is not null`)
  }
}
