/** Evidence as it is listed and seen, with its records, its place in the chain and the proof of it. */

import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Evidence, EvidenceFilter, EvidenceRow, ListedEvidence, RecordRow } from '../declared/evidence-schema.ts'
import { evidence, records } from '../declared/evidence-tables.ts'
import { inclusionOf } from './merkle.ts'
import { listedEvidence } from './view.ts'

export interface EvidenceList {
  readonly page: PageRequest
  readonly filter: EvidenceFilter
  /** Unix milliseconds. */
  readonly atMs: number
}

export async function listEvidence(tx: Tx, { page, filter, atMs }: EvidenceList): Promise<Page<ListedEvidence>> {
  const {
    q,
    kind,
    status,
    control_id: control,
    check_id: check,
    expires_before,
    collected_after,
    sha256,
    latest,
  } = filter
  const where = [
    sql`true`,
    ...(q === undefined
      ? []
      : [sql`(lower(title) like ${likePrefix(q)} or lower(title) like ${`% ${likePrefix(q)}`})`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(check === undefined ? [] : [sql`check_id = ${check}`]),
    ...(expires_before === undefined ? [] : [sql`valid_until < ${expires_before}`]),
    ...(collected_after === undefined ? [] : [sql`collected_at > ${collected_after}`]),
    ...(sha256 === undefined ? [] : [sql`sha256 = ${sha256}`]),
    ...(latest === true ? [sql`status <> 'superseded'`] : []),
    ...(control === undefined
      ? []
      : [sql`id in (select evidence_id from compliance_claim where control_id = ${control})`]),
  ]
  const found = await evidence.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map((row) => listedEvidence(row, atMs)) }
}

export const recordsOf = (tx: Tx, evidenceId: string): Promise<readonly RecordRow[]> =>
  tx.query(sql<RecordRow>`
    select ${records.columns} from compliance_record where evidence_id = ${evidenceId} order by number`)

type Seen = Omit<Evidence, 'proof' | 'verified'>

export async function evidenceView(tx: Tx, row: EvidenceRow, atMs: number): Promise<Seen> {
  return viewOf(tx, row, { rows: await recordsOf(tx, row.id), atMs })
}

interface Looked {
  /** Its records, oldest first. */
  readonly rows: readonly RecordRow[]
  readonly atMs: number
}

export async function viewOf(tx: Tx, row: EvidenceRow, { rows, atMs }: Looked): Promise<Seen> {
  const linked = await tx.query(sql<Evidence['claims'][0]>`
    select control_id, part, note from compliance_claim where evidence_id = ${row.id} order by created_at, id limit 1000`)
  const newest = rows.at(-1)
  return {
    ...listedEvidence(row, atMs),
    claims: [...linked],
    history: rows.map(({ number, record, prev_hash, hash, signature, kid }) => ({
      ...{ number, record, prev_hash, hash, signature, kid },
    })),
    ...(row.kind === 'check_run' && newest?.document ? { run: JSON.parse(newest.document) } : {}),
  }
}

/** Proof that the newest record of evidence is in the chain as it is now, signed. */
export async function proofOf(
  { signingKeys }: Pick<Kernel, 'signingKeys'>,
  tx: Tx,
  newest: RecordRow | undefined,
): Promise<NonNullable<Evidence['proof']>> {
  const rows = await tx.query(sql<{ hash: string; created_at: string }>`
    select hash, created_at from compliance_record order by seq`)
  const index = (newest?.seq ?? 1) - 1
  const { root, path } = inclusionOf(
    rows.map(({ hash }) => hash),
    index,
  )
  // Of the time of the newest record, so that a chain that stands still gives one answer.
  const signed = `parapet/evidence-tree/1\n${tx.tenantId}\n${rows.length}\n${root}\n${rows.at(-1)?.created_at ?? ''}\n`
  const { kid, signature } = await signingKeys.sign('export', Buffer.from(signed))
  return {
    ...{ tree_size: rows.length, leaf_index: index, root_hash: root, path: [...path], signed, kid },
    signature: Buffer.from(signature).toString('base64url'),
    public_key: signingKeys.jwks('export').keys.find((key) => key.kid === kid)?.x ?? '',
  }
}

export interface Verdict {
  readonly intact: boolean
  readonly from_seq: number
  readonly to_seq: number
  readonly first_broken_seq: number | null
}

export type VerifyScope = Pick<TenantScope, 'tenantId'>
