/**
 * Recomputes a tenant's audit chain and names the first fault in it. A chain alone reveals a changed, missing or
 * reordered entry; a cut tail and a chain rewritten as a whole show only against a checkpoint, best one kept outside,
 * and the answer names the checkpoint it reached. Tested in verify.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { SigningKeys } from '../keys/port.ts'
import { type Cut, type Read, readBeginning } from './beginning.ts'
import { type ChainHead, genesis, sealHash } from './chain.ts'
import { type Checkpoint, openNote } from './note.ts'
import { areGenuine, type Opening, openingsOf } from './personal.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'

/**
 * `hash`: an entry was changed. `link`: seals were re-made or reordered. `gap`: an entry or seal is missing.
 * `truncated`: the chain is shorter than a checkpoint says. `rewritten`: it is another chain than the checkpoint's.
 * `unsealed`: an entry has no place in the chain although it should have.
 */
export type ChainFault = 'hash' | 'link' | 'gap' | 'truncated' | 'rewritten' | 'unsealed'

export interface ChainReport {
  readonly verified: boolean
  /** Entries recomputed. */
  readonly entries: number
  /** Where it first goes wrong; null when all is well or the fault has no place. */
  readonly firstBadSeq: number | null
  readonly reason: ChainFault | null
  /** The last entry that was good. */
  readonly head: ChainHead | null
  /** Size of the largest checkpoint the chain agrees with. */
  readonly checkpointUsed: number | null
  /** Behind which entry the log begins since retention removed what was before; null where nothing was. */
  readonly cut: Cut | null
}

export interface VerifyRange {
  readonly fromSeq?: number
  readonly toSeq?: number
  /** Signed notes kept outside; those in the database are used as well. */
  readonly checkpoints?: readonly string[]
  /** Stops a walk whose caller no longer waits. */
  readonly signal?: AbortSignal
  /** Told after each page how far the walk is. */
  readonly reached?: (seq: number) => void
}

export interface ChainVerifier {
  /** @throws CheckpointRefused for a note that is not of this tenant or not signed by this installation */
  verify(tenantId: TenantId, range?: VerifyRange): Promise<ChainReport>
  /** Whether one entry still is what was sealed; null when it does not exist or is not sealed yet. */
  entry(tenantId: TenantId, entryId: string): Promise<{ seq: number; hash: string; ok: boolean } | null>
  /** @throws CheckpointRefused for a note that `verify` would refuse */
  checkNotes(tenantId: TenantId, notes: readonly string[]): void
  /** How far the chain goes at this moment; of an empty chain 0 and the genesis hash. */
  head(tenantId: TenantId): Promise<ChainHead>
  /** Behind which entry the log begins; null where nothing was removed. */
  beginning(tenantId: TenantId): Promise<Cut | null>
}

export class CheckpointRefused extends Error {
  constructor() {
    super('The checkpoint is not a note of this tenant signed by this installation.')
    this.name = 'CheckpointRefused'
  }
}

export interface VerifierParts {
  readonly db: Pick<Database, 'read'>
  readonly clock: Pick<Clock, 'now'>
  readonly keys: Pick<SigningKeys, 'verify'>
  /** Notes kept outside the database, as far as this process can read them. */
  readonly outside?: (tenantId: TenantId) => Promise<readonly string[]>
}

/** Each statement is a transaction of its own: a long walk may hold no connection. */
export function createChainVerifier(parts: VerifierParts): ChainVerifier {
  return {
    verify: async (tenantId, range = {}) => {
      const read: Read = (statement) => parts.db.read(tenantId, statement)
      const given = (range.checkpoints ?? []).map((note) => acceptNote(parts, tenantId, note))
      const kept = [...(await storedNotes(read)), ...((await parts.outside?.(tenantId)) ?? [])]
      const checkpoints = [...given, ...opened(parts.keys, tenantId, kept)]
      const beginning = () => readBeginning(read, parts.keys, tenantId)
      return verifyChain(read, parts, { range, checkpoints, beginning })
    },
    beginning: (tenantId) => readBeginning((statement) => parts.db.read(tenantId, statement), parts.keys, tenantId),
    entry: (tenantId, entryId) => verifyEntry((statement) => parts.db.read(tenantId, statement), entryId),
    checkNotes: (tenantId, notes) => {
      for (const note of notes) acceptNote(parts, tenantId, note)
    },
    head: async (tenantId) => (await parts.db.read(tenantId, lastSeal))[0] ?? { size: 0, hash: genesis },
  }
}

const lastSeal = sql<ChainHead>`select seq as size, hash from audit_seal order by seq desc limit 1`

function acceptNote(parts: VerifierParts, tenantId: TenantId, note: string): Checkpoint {
  const checkpoint = openNote(parts.keys, note)
  if (checkpoint === null || checkpoint.tenantId !== tenantId) throw new CheckpointRefused()
  return checkpoint
}

async function storedNotes(read: Read): Promise<readonly string[]> {
  return (await read(sql<{ note: string }>`select note from audit_checkpoint`)).map(({ note }) => note)
}

/** Notes whose key has been retired say nothing any more and are left out. */
function opened(keys: VerifierParts['keys'], tenantId: TenantId, notes: readonly string[]): readonly Checkpoint[] {
  return notes.flatMap((note) => {
    const checkpoint = openNote(keys, note)
    return checkpoint === null || checkpoint.tenantId !== tenantId ? [] : [checkpoint]
  })
}

interface Task {
  readonly range: VerifyRange
  readonly checkpoints: readonly Checkpoint[]
  readonly beginning: () => Promise<Cut | null>
}

async function verifyChain(read: Read, parts: VerifierParts, task: Task): Promise<ChainReport> {
  const cut = await task.beginning()
  const walk = await walkChain(read, task, cut)
  if (walk.reason !== null) {
    // Entries that were removed meanwhile were gone when the walk came to them.
    const moved = (await task.beginning())?.size !== cut?.size
    return moved ? verifyChain(read, parts, task) : walk
  }
  const size = walk.head?.size ?? 0
  // A range that ends inside the chain says nothing about its end.
  if (task.range.toSeq !== undefined && task.range.toSeq <= size) return walk
  if (task.checkpoints.some((checkpoint) => checkpoint.size > size))
    return { ...walk, verified: false, reason: 'truncated', firstBadSeq: size + 1 }
  if (task.range.toSeq !== undefined) return walk
  if (await hasUnsealed(read, parts.clock.now())) return { ...walk, verified: false, reason: 'unsealed' }
  return walk
}

type SealedRow = (AuditEntryRow | { readonly id: null }) & {
  readonly seq: number
  readonly prev_hash: string
  readonly hash: string
  readonly personal: readonly Opening[] | null
}

const pageSize = 2_000

async function walkChain(read: Read, { range, checkpoints }: Task, cut: Cut | null): Promise<ChainReport> {
  const from = Math.max(range.fromSeq ?? 1, (cut?.size ?? 0) + 1)
  const to = range.toSeq ?? Number.MAX_SAFE_INTEGER
  const witnesses = new Map<number, Set<string>>()
  for (const { size, headHash } of checkpoints) {
    witnesses.set(size, (witnesses.get(size) ?? new Set()).add(headHash))
  }
  let head: ChainHead | null = from > 1 ? await sealAt(read, from - 1) : null
  const start = head?.size ?? 0
  let checkpointUsed: number | null = null
  const answer = (reason: ChainFault | null, firstBadSeq: number | null): ChainReport => {
    const entries = Math.max(0, (head?.size ?? 0) - start)
    return { verified: reason === null, entries, firstBadSeq, reason, head, checkpointUsed, cut }
  }
  if (from > 1 && head === null) {
    const size = (await read(lastSeal))[0]?.size ?? 0
    // Behind the end nothing is missing yet; whether there should be something the checkpoints know.
    if (from - 1 <= size) return answer('gap', from - 1)
    const cut = checkpoints.some((checkpoint) => checkpoint.size > size)
    return answer(cut ? 'truncated' : 'unsealed', size + 1)
  }
  if (cut !== null && head?.size === cut.size) {
    const known = witnesses.get(cut.size) ?? new Set([cut.hash])
    if (head.hash !== cut.hash || known.size > 1 || !known.has(cut.hash)) return answer('rewritten', cut.size)
    checkpointUsed = witnesses.has(cut.size) ? cut.size : null
  }
  for (;;) {
    range.signal?.throwIfAborted()
    const page = await read(sealsAfter(head?.size ?? 0, to))
    for (const row of page) {
      const fault = judge(row, head)
      if (fault !== null) return answer(fault, fault === 'gap' ? (head?.size ?? 0) + 1 : row.seq)
      head = { size: row.seq, hash: row.hash }
      const witness = witnesses.get(row.seq)
      if (witness === undefined) continue
      if (witness.size > 1 || !witness.has(row.hash)) return answer('rewritten', row.seq)
      checkpointUsed = row.seq
    }
    if (page.length < pageSize) return answer(null, null)
    range.reached?.(head?.size ?? 0)
  }
}

/** One link, against the one before it. */
function judge(row: SealedRow, head: ChainHead | null): 'gap' | 'link' | 'hash' | null {
  if (row.seq !== (head?.size ?? 0) + 1 || row.id === null) return 'gap'
  if (row.prev_hash !== (head?.hash ?? genesis)) return 'link'
  return isAsSealed(row) ? null : 'hash'
}

/** The entry itself, and as much as remains of its statements about persons. */
function isAsSealed(row: SealedRow): boolean {
  const { seq: _seq, prev_hash: prev, hash, personal, ...entry } = row
  return sealHash(prev, entry as AuditEntryRow) === hash && areGenuine(entry, personal ?? [])
}

const sealed = sql`(select seq, entry_id, prev_hash, hash from audit_seal) seal left join audit_entry on id = entry_id`

const sealsAfter = (seq: number, to: number) => sql<SealedRow>`
  select ${auditEntry.columns}, seq, prev_hash, hash, ${openingsOf} as personal from ${sealed}
  where seq > ${seq} and seq <= ${to} order by seq limit ${pageSize}`

async function sealAt(read: Read, seq: number): Promise<ChainHead | null> {
  return (await read(sql<ChainHead>`select seq as size, hash from audit_seal where seq = ${seq}`))[0] ?? null
}

/** Entries the sealer has not taken within a minute, and entries that are not even waiting for it. */
async function hasUnsealed(read: Read, now: number): Promise<boolean> {
  const late = new Date(now - 60_000).toISOString()
  const [row] = await read(sql<{ found: boolean }>`
    select exists (
      select from audit_entry e
      where not exists (select from audit_seal s where s.entry_id = e.id)
        and (e.at < ${late} or not exists (select from audit_pending p where p.id = e.id))) as found`)
  return row?.found ?? false
}

async function verifyEntry(read: Read, entryId: string): Promise<{ seq: number; hash: string; ok: boolean } | null> {
  const [row] = await read(sql<SealedRow>`
    select ${auditEntry.columns}, seq, prev_hash, hash, ${openingsOf} as personal from ${sealed} where entry_id = ${entryId}`)
  if (row === undefined || row.id === null) return null
  return { seq: row.seq, hash: row.hash, ok: isAsSealed(row) }
}
