/**
 * Completes an assessment: the snapshot is taken and sealed, the results go to the controls, and an earlier one of the
 * same type and scope is superseded. All in the transaction of the decision. Tested in assessments.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, type Held } from '../../../kernel/resource/resource.ts'
import { askForScores } from '../declared/ask-for-scores.ts'
import { assessmentCompleted } from './events.ts'
import type { AssessmentRow } from './schema.ts'
import { type Snapshot, scoresOf, sealSnapshot, takeSnapshot } from './snapshot.ts'

type Parts = Pick<Kernel, 'clock' | 'random' | 'signingKeys'>

export interface Completion {
  readonly held: Held<AssessmentRow>
  readonly actorId: string | null
  /** Of the audit entry. */
  readonly action: string
}

export async function complete(kernel: Parts, tx: Tx, { held, actorId, action }: Completion): Promise<AssessmentRow> {
  const snapshot = await takeSnapshot(kernel, tx, held.row)
  const sealed = await sealSnapshot(kernel, tx, { snapshot, actorId })
  await supersede(tx, held.row)
  if (held.row.type === 'framework') await applyResults(tx, held.row, snapshot.completed_at)
  const row = await change(kernel, tx, held, {
    action,
    changes: {
      ...{ status: 'completed', completed_at: snapshot.completed_at, scores: scoresOf(snapshot) },
      ...{ snapshot_sha256: sealed.sha256, snapshot_id: sealed.id, approver_id: held.row.approver_id },
    },
    before: { status: held.row.status },
    after: ({ status, snapshot_sha256 }) => ({ status, snapshot_sha256 }),
  })
  await tell(tx, row, snapshot, sealed.sha256)
  await askForScores(kernel.clock, tx, { kind: 'assessment', id: row.id })
  return row
}

/** The one of the same type and scope about the same frameworks or the same agent. */
async function supersede(
  tx: Tx,
  { id, type, scope, agent_id: agent, framework_ids: ids }: AssessmentRow,
): Promise<void> {
  await tx.execute(sql`
    update compliance_assessment set status = 'superseded', version = version + 1
    where status = 'completed' and id <> ${id} and type = ${type} and scope = ${scope}
      and agent_id is not distinct from ${agent} and framework_ids <@ ${[...ids]}::uuid[]`)
}

/** Findings of people count for the controls until the next assessment; unconfirmed suggestions do not. */
async function applyResults(tx: Tx, { id }: AssessmentRow, at: string): Promise<void> {
  await tx.execute(sql`
    update compliance_control control set result = own.result, result_share = own.share, grading = own.grading,
      result_at = ${at}, assessment_id = ${id}, version = control.version + 1, updated_at = ${at}
    from compliance_result own
    where own.assessment_id = ${id} and own.control_id = control.id and own.source = 'person'`)
}

async function tell(tx: Tx, row: AssessmentRow, { frameworks }: Snapshot, sha256: string): Promise<void> {
  const weights = frameworks.map(({ score }) => score.controls)
  const mean = (of: (score: Snapshot['frameworks'][0]['score']) => number | null): number | null => {
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    return whole === 0
      ? null
      : frameworks.reduce((sum, { score }) => sum + (of(score) ?? 0) * score.controls, 0) / whole
  }
  await tx.emit(assessmentCompleted, row.id, {
    ...{ assessment_id: row.id, type: row.type, framework_keys: frameworks.map(({ key }) => key), scope: row.scope },
    ...{
      agent_id: row.agent_id,
      score: mean((score) => score.score),
      score_possible: mean((score) => score.score_possible),
    },
    ...{
      coverage: mean((score) => score.coverage),
      tiers: row.classification?.tiers ?? [],
      previous_id: row.previous_id,
    },
    ...{ approver_id: row.approver_id, snapshot_sha256: sha256 },
  })
}
