/**
 * Changes of risks by time: missed deadlines, the end of an acceptance, reviews that are due. Tested
 * in upkeep.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import { type Held, holdAll } from '../../../kernel/resource/resource.ts'
import { applyChange, type RiskChange, riskResource } from './apply-change.ts'
import { deadlineMissed } from './events.ts'
import { applyMeasurement, measureEveryMs, measurement } from './measure.ts'
import type { ChangeParts, RiskServices } from './register-parts.ts'
import type { RiskRow } from './schema.ts'
import { markMissed } from './treatment.ts'

/** At most so many in one transaction; the rest is due again a minute later. */
const batch = 200

export const upkeepJob: JobDeclaration<RiskServices> = {
  kind: 'risk.upkeep',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: ({ now, ago }: DueAt): SqlPart => sql`exists (
    select from risk_register held where held.tenant_id = tenant.id and ${isDue(now, ago(measureEveryMs))})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const now = kernel.clock.iso()
      const measuredBy = new Date(kernel.clock.now() - measureEveryMs).toISOString()
      const where = isDue(now, measuredBy)
      for (const held of await holdAll(tx, riskResource, { where, limit: batch })) await upkeep(kernel, tx, held)
    }),
}

const isDue = (now: string, measuredBy: string): SqlPart => sql`(next_deadline_at <= ${now}
  or measured_at <= ${measuredBy}
  or (status = 'accepted' and acceptance_until <= ${now})
  or (status = 'monitoring' and review_due_at <= ${now}))`

async function upkeep(kernel: ChangeParts, tx: Tx, held: Held<RiskRow>): Promise<void> {
  const { row } = held
  const now = kernel.clock.iso()
  const found = row.treatment === null ? null : markMissed(row.treatment, now)
  const move = moveByTime(row, now)
  const isOfEvents = row.measured_at !== null
  const isTimely = move.reason !== undefined || (found?.missed.length ?? 0) > 0
  const values = isOfEvents ? await measurement(kernel, tx, row) : {}
  if (!isTimely) return applyMeasurement(kernel, tx, held, values)
  await applyChange(kernel, tx, held, {
    action: 'risk.register.upkeep',
    changes: { ...values, ...(found === null ? {} : { treatment: found.treatment }), ...move.changes },
    cause: isOfEvents ? 'kri' : 'qualitative',
    reason: move.reason,
    by: null,
  })
  await tx.emitAll(
    deadlineMissed,
    (found?.missed ?? []).map(({ id, due_at, owner_id }) => ({
      subject: row.id,
      data: { risk_id: row.id, action_id: id, due_at, owner_id: owner_id ?? row.owner_id },
    })),
  )
}

function moveByTime(
  { status, acceptance_until: until, review_due_at: due }: RiskRow,
  now: string,
): Pick<RiskChange, 'changes' | 'reason'> {
  if (status === 'accepted' && until !== null && until <= now)
    return {
      changes: { status: 'evaluated', acceptance: null, acceptance_until: null },
      reason: 'The acceptance ended',
    }
  if (status === 'monitoring' && due <= now) return { changes: { status: 'evaluated' }, reason: 'The review is due' }
  return { changes: {} }
}
