import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** The kind of job that makes the vectors of a source. */
export const embedKind = 'svc_ai.source.embed'

/** Asks for the vectors of a source where a model is bound to make them; at most one job of a source waits. */
export async function askForVectors(tx: Tx, sourceId: string): Promise<void> {
  const bound = await tx.first(sql`select id from svc_ai_binding where role = 'embedding' and model is not null`)
  if (bound !== null) await tx.enqueue({ kind: embedKind, key: sourceId, payload: { source_id: sourceId } })
}

/** The same for every source that was indexed: another model makes other vectors. */
export async function askForAllVectors(tx: Tx): Promise<void> {
  const ids = await tx.query(sql<{ id: string }>`select id from svc_ai_source where index_version > 0 order by id`)
  for (const { id } of ids) await askForVectors(tx, id)
}
