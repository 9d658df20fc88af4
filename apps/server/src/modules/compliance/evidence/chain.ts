/**
 * The chain of evidence of a tenant: every version of evidence is a record that holds the hash of the one before it, as in
 * the audit log, and is signed. Places are given under a lock in the transaction that stores the record, so that none is
 * missing and none is taken twice. Tested in chain.test.ts and evidence.test.ts.
 */
import { genesis, sealHash } from '../../../kernel/audit/chain.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ChainRecord, RecordRow } from '../declared/evidence-schema.ts'
import { records } from '../declared/evidence-tables.ts'

export interface Head {
  readonly seq: number
  readonly hash: string
}

/** A record before it has its place. */
export interface Unplaced {
  readonly record: Omit<ChainRecord, 'form' | 'tenant_id' | 'seq'>
  readonly document: string | null
  readonly blobId: string | null
}

export const headOf = async (tx: Pick<Tx, 'first'>): Promise<Head> =>
  (await tx.first(sql<Head>`select seq, hash from compliance_record order by seq desc limit 1`)) ?? {
    seq: 0,
    hash: genesis,
  }

type ChainParts = Pick<Kernel, 'clock' | 'random' | 'signingKeys'>

/** Stores records behind the head of the chain, signed. Gives them with their places. */
export async function appendRecords(
  { clock, random, signingKeys }: ChainParts,
  tx: Tx,
  unplaced: readonly Unplaced[],
): Promise<readonly RecordRow[]> {
  await tx.lock('compliance.chain', tx.tenantId)
  let head = await headOf(tx)
  const rows: RecordRow[] = []
  for (const { record: own, document, blobId } of unplaced) {
    const seq = head.seq + 1
    const record: ChainRecord = { form: 'parapet/evidence/1', tenant_id: tx.tenantId, seq, ...own }
    const hash = sealHash(head.hash, record)
    const { kid, signature } = await signingKeys.sign('export', Buffer.from(hash, 'hex'))
    rows.push({
      ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso() },
      ...{ seq, evidence_id: record.evidence_id, number: record.number, record, document, blob_id: blobId },
      ...{ kid, signature: Buffer.from(signature).toString('base64url'), prev_hash: head.hash, hash },
    })
    head = { seq, hash }
  }
  await insertMany(tx, records, rows)
  return rows
}

export type LinkRow = Pick<RecordRow, 'seq' | 'record' | 'prev_hash' | 'hash'>

/**
 * The seq of the first record that does not follow the one before it; null where all do.
 * @param before the record before the first one
 */
export function firstBroken(rows: readonly LinkRow[], before: Head): number | null {
  let { seq, hash } = before
  for (const row of rows) {
    const follows = row.seq === seq + 1 && row.prev_hash === hash && row.record.seq === row.seq
    if (!follows || sealHash(hash, row.record) !== row.hash) return seq + 1
    seq = row.seq
    hash = row.hash
  }
  return null
}
