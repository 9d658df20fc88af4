/** Results of an assessment: set by people or by checks, for controls of its frameworks alone. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import { liveTerms, scoredControls, type TermRow } from '../live/live-terms.ts'
import type { AssessmentRow, ResultRow, SetResult, ShownResult } from './schema.ts'
import { results } from './tables.ts'

/** Rows of one statement. */
const batch = 2_000

type Parts = Pick<Kernel, 'clock' | 'random'>

/** Controls that the assessment is about, with the keys of their frameworks. */
export async function controlsOf(
  tx: Tx,
  { framework_ids: ids }: Pick<AssessmentRow, 'framework_ids'>,
): Promise<{ readonly frameworks: readonly Pick<FrameworkRow, 'id' | 'key'>[]; readonly rows: readonly TermRow[] }> {
  const frameworks = await tx.query(sql<Pick<FrameworkRow, 'id' | 'key'>>`
    select id, key from compliance_framework where id = any(${[...ids]}::uuid[])`)
  return { frameworks, rows: await scoredControls(tx, ids) }
}

/** @throws API-001 for a control that is out of scope and for evidence that is not there */
export async function setResults(
  kernel: Parts,
  tx: Tx,
  assessment: AssessmentRow,
  given: readonly SetResult[],
): Promise<void> {
  const { rows } = await controlsOf(tx, assessment)
  const inScope = new Set(rows.map(({ id }) => id))
  const outside = given.findIndex((one) => !inScope.has(one.control_id))
  if (outside >= 0) throw invalid(`/results/${outside}/control_id`, 'is no control of this assessment')
  await refuseUnknownEvidence(tx, given)
  const now = kernel.clock.iso()
  await upsert(
    tx,
    [...new Map(given.map((one) => [one.control_id, one])).values()].map((one) => ({
      ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: now, updated_at: now },
      ...{ assessment_id: assessment.id, control_id: one.control_id, result: one.result, share: one.share ?? null },
      ...{ grading: one.grading ?? null, note: one.note ?? null, source: 'person' },
      evidence_ids: [...(one.evidence_ids ?? [])],
    })),
  )
}

const invalid = (pointer: string, detail: string) =>
  apiErrors.validation({ what: 'A result cannot be set.' }).at([{ detail, pointer }])

async function refuseUnknownEvidence(tx: Tx, given: readonly SetResult[]): Promise<void> {
  const ids = [...new Set(given.flatMap((one) => one.evidence_ids ?? []))]
  if (ids.length === 0) return
  const known = new Set(
    (await tx.query(sql<{ id: string }>`select id from compliance_evidence where id = any(${ids}::uuid[])`)).map(
      ({ id }) => id,
    ),
  )
  const index = given.findIndex((one) => (one.evidence_ids ?? []).some((id) => !known.has(id)))
  if (index >= 0) throw invalid(`/results/${index}/evidence_ids`, 'names evidence that does not exist')
}

async function upsert(tx: Tx, rows: readonly ResultRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += batch)
    await tx.execute(sql`
      ${insertRows(results, rows.slice(at, at + batch))} on conflict (tenant_id, assessment_id, control_id) do update set
        updated_at = excluded.updated_at, result = excluded.result, share = excluded.share, grading = excluded.grading,
        note = excluded.note, source = excluded.source, evidence_ids = excluded.evidence_ids`)
}

/** Takes over what the checks say now, for controls that nobody has assessed. */
export async function resultsFromChecks(kernel: Parts, tx: Tx, assessment: AssessmentRow): Promise<void> {
  const { frameworks, rows } = await controlsOf(tx, assessment)
  const live = await liveTerms(tx, { frameworks, atMs: kernel.clock.now(), where: sql`false` })
  const held = new Set(
    (
      await tx.query(sql<{ control_id: string }>`
        select control_id from compliance_result where assessment_id = ${assessment.id} and source = 'person'`)
    ).map((row) => row.control_id),
  )
  const now = kernel.clock.iso()
  const found = rows.flatMap((row): ResultRow[] => {
    // The result of an earlier assessment is left out: this one has to find its own.
    const { result, source, share } = live.terms({ ...row, result: 'not_assessed', result_share: null })
    if (source !== 'check' || held.has(row.id)) return []
    const ids = live.supports(row).flatMap(({ state }) => state?.evidence_id ?? [])
    return [
      {
        ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: now, updated_at: now },
        ...{ assessment_id: assessment.id, control_id: row.id, result, share, grading: null, note: null },
        ...{ source: 'check', evidence_ids: ids.slice(0, 20) },
      },
    ]
  })
  if (found.length > 0) await upsert(tx, found)
}

/** Results of an earlier assessment, for people to confirm. */
export async function suggestResults(
  kernel: Parts,
  tx: Tx,
  assessment: AssessmentRow,
  previousId: string,
): Promise<void> {
  const before = await tx.query(sql<ResultRow>`
    select ${results.columns} from compliance_result where assessment_id = ${previousId} and source <> 'check'`)
  const { rows } = await controlsOf(tx, assessment)
  const inScope = new Set(rows.map(({ id }) => id))
  const now = kernel.clock.iso()
  const carried = before
    .filter((row) => inScope.has(row.control_id))
    .map((row) => ({
      ...row,
      ...{ id: kernel.random.uuid(), assessment_id: assessment.id, created_at: now, updated_at: now },
      source: 'suggestion' as const,
    }))
  if (carried.length > 0) await upsert(tx, carried)
}

export const resultsOf = (tx: Tx, assessmentId: string): Promise<readonly ShownResult[]> =>
  tx.query(sql<ShownResult>`
    select own.control_id, control.framework_id, control.ref, control.title, own.result, own.share, own.grading, own.note,
      own.source, own.evidence_ids
    from compliance_result own join compliance_control control on control.id = own.control_id
    where own.assessment_id = ${assessmentId} order by control.framework_id, control.position`)
