/**
 * Retention of the audit log. It removes whole segments that end at a signed checkpoint, and only after their chain was
 * verified: tampered entries stay as evidence. The last seal of the removed part is kept, with a signed note beside it
 * and outside, so the chain continues from there and verifies. The cut is an entry of the log itself. A kill at any
 * line leaves a log that verifies; the next run continues the removal. Tested in cut.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { CheckpointFolder } from './checkpoint-sinks.ts'
import { openNote, type SignedCheckpoint, signCheckpoint } from './note.ts'
import type { ChainReport, ChainVerifier } from './verify.ts'

export interface CutAsk {
  readonly tenantId: TenantId
  /** Entries sealed before this time may go. */
  readonly before: string
  readonly signal: AbortSignal
}

export interface CutOutcome {
  /** Entries that were removed in this run. */
  readonly removed: number
  /** Why nothing was cut: the chain up to there is not what was sealed. */
  readonly fault: ChainReport | null
}

export interface AuditRetention {
  cut(ask: CutAsk): Promise<CutOutcome>
}

export interface RetentionParts {
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
  readonly keys: Pick<SigningKeys, 'sign' | 'verify' | 'jwks'>
  readonly chain: Pick<ChainVerifier, 'verify' | 'beginning'>
  readonly folder: Pick<CheckpointFolder, 'keepCut'>
}

export function createAuditRetention(parts: RetentionParts): AuditRetention {
  return {
    cut: async (ask) => {
      const end = await lastCheckpoint(parts, ask)
      if (end !== null) {
        const report = await parts.chain.verify(ask.tenantId, { toSeq: end.size, signal: ask.signal })
        if (!report.verified || report.head?.hash !== end.headHash) return { removed: 0, fault: report }
        await decide(parts, ask, end)
      }
      return { removed: await remove(parts, ask), fault: null }
    },
  }
}

interface End {
  readonly size: number
  readonly headHash: string
}

/** The largest kept checkpoint of which everything was sealed in time, behind what was cut already. */
async function lastCheckpoint({ db, keys, chain }: RetentionParts, { tenantId, before }: CutAsk): Promise<End | null> {
  const from = (await chain.beginning(tenantId))?.size ?? 0
  const found = await db.system('audit retention', (tx) =>
    tx.query(sql<{ note: string }>`
      select c.note from audit_checkpoint c
      join audit_seal s on s.tenant_id = c.tenant_id and s.seq = c.size and s.hash = c.head_hash
      where c.tenant_id = ${tenantId} and c.size > ${from} and s.sealed_at < ${before}::timestamptz
      order by c.size desc limit 10`),
  )
  for (const { note } of found) {
    const opened = openNote(keys, note)
    if (opened !== null && opened.tenantId === tenantId) return opened
  }
  return null
}

/** From the commit on the log begins behind this entry, whether it is removed yet or not. */
async function decide({ db, clock, random, keys, folder }: RetentionParts, ask: CutAsk, end: End): Promise<void> {
  const { tenantId } = ask
  const facts = { tenantId, size: end.size, headHash: end.headHash, at: clock.iso() }
  const cut: SignedCheckpoint = await signCheckpoint(keys, facts, 'cut')
  await folder.keepCut(cut)
  await db.tenant({ tenantId }, async (tx) => {
    await tx.lock('audit_cut', tenantId)
    const kept = await tx.execute(sql`
      insert into audit_cut (tenant_id, id, size, head_hash, note, at)
      select ${tenantId}::uuid, ${random.uuid()}::uuid, ${cut.size}::bigint, ${cut.headHash}::text, ${cut.note}::text,
        ${cut.at}::timestamptz
      where not exists (select from audit_cut where tenant_id = ${tenantId} and size >= ${cut.size}::bigint)`)
    if (kept === 0) return
    const after = { removed_to_seq: cut.size, head_hash: cut.headHash, sealed_before: ask.before }
    await tx.audit('admin.audit.cut', { target: `audit_log:${tenantId}`, after })
  })
}

const batch = 1_000

/** Removes entries with the rows beside them and their seals; the seal of the last one stays. */
async function remove({ db, chain }: RetentionParts, { tenantId, signal }: CutAsk): Promise<number> {
  const cut = await chain.beginning(tenantId)
  if (cut === null) return 0
  for (let removed = 0; ; ) {
    signal.throwIfAborted()
    const count = await db.system('audit retention', (tx) => tx.first(removeBatch(tenantId, cut.size)))
    removed += count?.entries ?? 0
    if ((count?.seals ?? 0) < batch) {
      await db.system('audit retention', (tx) =>
        tx.execute(sql`delete from audit_checkpoint where tenant_id = ${tenantId} and size < ${cut.size}`),
      )
      return removed
    }
  }
}

const removeBatch = (tenantId: TenantId, size: number) => sql<{ seals: number; entries: number }>`
  with due as (
    select seq, entry_id from audit_seal where tenant_id = ${tenantId} and seq <= ${size} order by seq limit ${batch}),
  entries as (
    delete from audit_entry e using due where e.tenant_id = ${tenantId} and e.id = due.entry_id returning e.id),
  beside as (
    delete from audit_personal p using due where p.tenant_id = ${tenantId} and p.entry_id = due.entry_id),
  seals as (
    delete from audit_seal s using due where s.tenant_id = ${tenantId} and s.seq = due.seq and s.seq < ${size})
  select (select count(*)::int from due) as seals, (select count(*)::int from entries) as entries`
