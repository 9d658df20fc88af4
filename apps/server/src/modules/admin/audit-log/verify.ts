/**
 * Verification of the audit log: immediately where the range is short, as a job where it is long, and of every tenant
 * once a day. Promises that a fault is recorded in the log itself and as an event; kernel/audit/verify.ts defines the
 * verdicts. Tested in verify.test.ts.
 */

import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { type ChainReport, CheckpointRefused } from '../../../kernel/audit/verify.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { errors } from '../errors/errors.ts'
import { auditVerified, tamperDetected } from './events.ts'
import type { AuditVerdict, VerifyAudit } from './schemas/audit-log.ts'
import { chainOf } from './scope.ts'

type Verifier = Pick<Kernel, 'chain' | 'clock' | 'db' | 'random' | 'signingKeys'>

/** Entries that are recomputed while the caller waits; about a tenth of a second. */
const largestAnswered = 20_000
const dayMs = 86_400_000

export const verifyKind = 'admin.audit.verify'

/** @throws ADM-014, API-001 for a note that is not ours or a range that ends before it begins, AUTH-004 */
export async function verifyAuditLog(
  kernel: Verifier,
  scope: TenantScope,
  ask: { readonly actor: Actor; readonly body: VerifyAudit },
): Promise<AuditVerdict> {
  const { body } = ask
  const tenantId = chainOf(ask.actor, body.scope)
  const { from_seq: from = 1, to_seq: to, checkpoints = [] } = body
  if (to !== undefined && to < from) throw apiErrors.validation({ what: 'The range ends before it begins.' })
  checkNotes(kernel, tenantId, checkpoints)
  await refuseRemoved(kernel, tenantId, to)
  const { size } = await kernel.chain.head(tenantId)
  if ((to ?? size) - from + 1 > largestAnswered && size > largestAnswered) return asJob(kernel, scope, body)
  const began = kernel.clock.iso()
  const report = await kernel.chain.verify(tenantId, rangeOf(body))
  const reached = report.head?.size ?? 0
  const short = (to ?? 0) > reached || from > reached + 1
  if (short && (report.reason === null || report.reason === 'unsealed')) throw errors.notSealed()
  await recordVerdict(kernel, scope, { began, report, body })
  return verdictOf(kernel, report)
}

/** @throws API-001 */
async function refuseRemoved({ chain }: Verifier, tenantId: TenantId, to: number | undefined): Promise<void> {
  const cut = to === undefined ? null : await chain.beginning(tenantId)
  if (cut === null || to === undefined || to > cut.size) return
  const detail = `Entries up to ${cut.size} were removed by the retention of the log.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/to_seq' }])
}

function checkNotes({ chain }: Verifier, tenantId: TenantId, notes: readonly string[]): void {
  notes.forEach((note, index) => {
    try {
      chain.checkNotes(tenantId, [note])
    } catch (error) {
      if (!(error instanceof CheckpointRefused)) throw error
      const pointer = `/checkpoints/${index}`
      throw apiErrors.validation({ what: error.message }).at([{ detail: error.message, pointer }])
    }
  })
}

function rangeOf({ from_seq: fromSeq, to_seq: toSeq, checkpoints }: VerifyAudit) {
  return {
    ...(fromSeq === undefined ? {} : { fromSeq }),
    ...(toSeq === undefined ? {} : { toSeq }),
    ...(checkpoints === undefined ? {} : { checkpoints }),
  }
}

async function asJob(kernel: Verifier, scope: TenantScope, body: VerifyAudit): Promise<AuditVerdict> {
  const id = kernel.random.uuid()
  await kernel.db.tenant(scope, async (tx) => {
    await tx.enqueue({ id, kind: verifyKind, payload: { ...body } })
    await tx.audit('admin.audit.verify', { target: `job:${id}`, after: partOf(body) })
  })
  return { ...verdictOf(kernel, null), status: 'queued', job_id: id }
}

/** Notes are long and stand where they came from. */
function partOf({ checkpoints = [], ...range }: VerifyAudit) {
  return { ...range, checkpoints: checkpoints.length }
}

interface Verified {
  /** Entries changed since this time may be missing from the walk. */
  readonly began: string
  readonly report: ChainReport
  readonly body: VerifyAudit
}

/** Tells of a verification in the log, and by an event where something is wrong. */
export async function recordVerdict(
  { db }: Pick<Kernel, 'db'>,
  scope: TenantScope,
  { began, report, body }: Verified,
): Promise<void> {
  const { verified, reason, firstBadSeq, entries, checkpointUsed } = report
  await db.tenant(scope, async (tx) => {
    await tx.audit('admin.audit.verify', {
      target: `audit_log:${body.scope === 'platform' ? platformTenant : tx.tenantId}`,
      after: {
        ...partOf(body),
        verified,
        reason,
        entries,
        first_bad_seq: firstBadSeq,
        checkpoint_used: checkpointUsed,
      },
      result: verified ? 'success' : 'failed',
    })
    await tellVerdict(tx, { began, report, body })
  })
}

async function tellVerdict(tx: Tx, { began, report, body }: Verified): Promise<void> {
  const { verified, reason, firstBadSeq, entries, checkpointUsed: checkpoint_used } = report
  const scope = body.scope ?? 'tenant'
  if (reason !== null)
    await tx.emit(tamperDetected, 'audit_log', { scope, reason, first_bad_seq: firstBadSeq, checkpoint_used })
  else if (verified && isWhole(body)) {
    const notes = body.checkpoints?.length ?? 0
    await tx.emit(auditVerified, 'audit_log', { scope, began_at: began, entries, notes, checkpoint_used })
  }
}

/** A part says nothing about the rest. */
function isWhole({ from_seq: from = 1, to_seq: to }: VerifyAudit): boolean {
  return from === 1 && to === undefined
}

function verdictOf({ signingKeys }: Pick<Verifier, 'signingKeys'>, report: ChainReport | null): AuditVerdict {
  return {
    status: 'completed',
    job_id: null,
    verified: report?.verified ?? null,
    entries: report?.entries ?? 0,
    first_bad_seq: report?.firstBadSeq ?? null,
    reason: report?.reason ?? null,
    head: report?.head ?? null,
    checkpoint_used: report?.checkpointUsed ?? null,
    cut: report?.cut ?? null,
    checkpoint_keys: signingKeys.jwks('checkpoint').keys.map(({ kid, x }) => ({ kid, x })),
  }
}

/** Verification requested by a person, and the daily one of everything, with the notes this process can read. */
export const verifyJob: JobDeclaration<unknown> = {
  kind: verifyKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: dayMs,
  run: runVerification,
}

async function runVerification({ tenantId, payload, kernel, ...job }: JobContext<unknown>): Promise<void> {
  const body = payload as VerifyAudit
  const of = body.scope === 'platform' ? platformTenant : tenantId
  const { size } = await kernel.chain.head(of)
  const tell = (seq: number): void => kernel.background('verification progress', job.progress(seq / Math.max(1, size)))
  const began = kernel.clock.iso()
  const report = await kernel.chain.verify(of, { ...rangeOf(body), signal: job.signal, reached: tell })
  await recordVerdict(kernel, { tenantId }, { began, report, body })
  job.result({ ...verdictOf(kernel, report) })
}
