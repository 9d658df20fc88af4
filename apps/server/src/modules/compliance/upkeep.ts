/**
 * Changes by the passing of time: evidence that expires, with warnings 30, 7 and 1 days before, and once a day the
 * verification of the chain and the assessment from checks alone where no person has assessed. Tested in signals.test.ts.
 */
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../kernel/module/module.ts'
import { createAssessment } from './assessments/assessments.ts'
import { askForScores } from './declared/ask-for-scores.ts'
import { breaks } from './declared/evidence-tables.ts'
import { evidenceExpired, expiryWarned, integrityFailed } from './evidence/events.ts'
import { verifyChain } from './evidence/verify.ts'
import type { ComplianceServices } from './services/compliance-services.ts'

const dayMs = 86_400_000
const warnings = [1, 7, 30] as const
/** Evidence of one run; the rest is due again a minute later. */
const batch = 200

export const expiryJob: JobDeclaration<ComplianceServices> = {
  kind: 'compliance.expiry',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ now }) => sql`exists (
    select from compliance_evidence held where held.tenant_id = tenant.id and held.status in ('accepted', 'reviewed')
      and held.valid_until <= ${now}::timestamptz + interval '30 days')`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, (tx) => expire(tx, { now: kernel.clock.iso(), nowMs: kernel.clock.now() })),
}

interface Due {
  readonly id: string
  readonly valid_until: string
  readonly warned_days: number | null
  readonly control_ids: string[]
}

async function expire(tx: Tx, { now, nowMs }: { readonly now: string; readonly nowMs: number }): Promise<void> {
  const due = await tx.query(sql<Due>`
    select held.id, held.valid_until, held.warned_days,
      array(select claim.control_id from compliance_claim claim where claim.evidence_id = held.id limit 1000) as control_ids
    from compliance_evidence held
    where held.status in ('accepted', 'reviewed') and held.kind <> 'check_run'
      and held.valid_until <= ${now}::timestamptz + interval '30 days'
      and (held.valid_until <= ${now} or held.warned_days is null or held.warned_days > 1)
    order by held.valid_until limit ${batch} for update of held`)
  for (const one of due) await expireOne(tx, one, nowMs)
}

async function expireOne(
  tx: Tx,
  { id, valid_until: until, warned_days: warned, control_ids }: Due,
  nowMs: number,
): Promise<void> {
  const data = { evidence_id: id, control_ids, valid_until: until, owner_user_id: null }
  const left = Date.parse(until) - nowMs
  if (left <= 0) {
    await tx.execute(sql`update compliance_evidence set status = 'expired', version = version + 1 where id = ${id}`)
    await tx.emit(evidenceExpired, id, data)
    await askForScores({ now: () => nowMs }, tx, { kind: 'evidence', id })
    return
  }
  const days = warnings.find((limit) => left <= limit * dayMs)
  if (days === undefined || (warned !== null && warned <= days)) return
  await tx.execute(sql`update compliance_evidence set warned_days = ${days}, version = version + 1 where id = ${id}`)
  await tx.emit(expiryWarned, id, data)
}

export const dailyJob: JobDeclaration<ComplianceServices> = {
  kind: 'compliance.daily',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: dayMs,
  run: daily,
}

async function daily({ tenantId, kernel, services }: JobContext<ComplianceServices>): Promise<void> {
  const { first_broken_seq: seq } = await verifyChain(kernel, { tenantId })
  await kernel.db.tenant({ tenantId }, async (tx) => {
    if (seq !== null) {
      await breaks.insert(tx, { id: kernel.random.uuid(), tenant_id: tx.tenantId, found_at: kernel.clock.iso(), seq })
      await tx.emit(integrityFailed, tx.tenantId, { seq, evidence_id: null })
    }
    await assessFromChecks(services, tx)
  })
}

/** Adopted frameworks that no person has assessed are assessed from checks, so that their signal is never old. */
export async function assessFromChecks(services: ComplianceServices, tx: Tx): Promise<void> {
  const open = await tx.query(sql<{ id: string }>`
    select held.id from compliance_framework held
    where held.adoption = 'adopted' and not exists (
      select from compliance_assessment done
      where done.status = 'completed' and done.type = 'framework' and held.id = any(done.framework_ids))
    order by held.key limit 20`)
  if (open.length === 0) return
  const input = { type: 'automated' as const, name: 'Automatic checks', framework_ids: open.map(({ id }) => id) }
  await createAssessment(services, tx, { actor: null, input })
}
