/**
 * The frozen state of an assessment: its results with their evidence, coefficients and scores, as one canonical document
 * that is sealed as evidence. All exports are written from it. Tested in assessments.test.ts.
 */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Classification } from '../ai-act/schema.ts'
import type { EvidenceRow } from '../declared/evidence-schema.ts'
import { evidence } from '../declared/evidence-tables.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import { appendRecords } from '../evidence/chain.ts'
import { liveTerms, scoredControls } from '../live/live-terms.ts'
import { claimShare, type FrameworkScore, frameworkScore } from '../scoring/score.ts'
import { resultsOf } from './results.ts'
import type { AssessmentRow, FrameworkScores, ShownResult } from './schema.ts'

const validDays = 365
const dayMs = 86_400_000

export interface SnapshotResult extends ShownResult {
  readonly weight: number
  readonly evidence_value: number
  readonly evidence: readonly { readonly evidence_id: string; readonly sha256: string }[]
}

export interface Snapshot {
  readonly form: 'parapet/assessment/1'
  readonly tenant_id: string
  readonly assessment: Pick<
    AssessmentRow,
    | 'id'
    | 'name'
    | 'type'
    | 'scope'
    | 'agent_id'
    | 'period_start'
    | 'period_end'
    | 'assessor_ids'
    | 'approver_id'
    | 'timetable'
  >
  readonly completed_at: string
  readonly frameworks: readonly {
    readonly id: string
    readonly key: string
    readonly edition: string
    readonly sha256: string
    readonly score: FrameworkScore
  }[]
  readonly coefficients: { readonly alpha: number }
  readonly classification: Classification | null
  readonly results: readonly SnapshotResult[]
  readonly notice: string
}

/** Every control in scope, those that nobody assessed included. */
export async function takeSnapshot(kernel: Pick<Kernel, 'clock'>, tx: Tx, row: AssessmentRow): Promise<Snapshot> {
  const frameworks = await tx.query(sql<Pick<FrameworkRow, 'id' | 'key' | 'edition' | 'sha256'>>`
    select id, key, edition, sha256 from compliance_framework
    where id = any(${[...row.framework_ids]}::uuid[]) order by key`)
  const results = await snapshotResults(kernel, tx, row, frameworks)
  const { id, name, type, scope, agent_id, period_start, period_end, assessor_ids, approver_id, timetable } = row
  return {
    form: 'parapet/assessment/1',
    tenant_id: tx.tenantId,
    assessment: { id, name, type, scope, agent_id, period_start, period_end, assessor_ids, approver_id, timetable },
    completed_at: kernel.clock.iso(),
    frameworks: frameworks.map((one) => ({ ...one, score: scoreOf(results, one.id) })),
    coefficients: { alpha: claimShare },
    classification: row.classification,
    results,
    notice: 'Evidence of operation, not a legal determination.',
  }
}

const scoreOf = (results: readonly SnapshotResult[], frameworkId: string): FrameworkScore =>
  frameworkScore(
    results
      .filter((one) => one.framework_id === frameworkId)
      .map(({ weight, result, share, evidence_value: value }) => ({
        ...{ weight, result, share, evidence: value, current: value > 0 },
      })),
  )

async function snapshotResults(
  kernel: Pick<Kernel, 'clock'>,
  tx: Tx,
  row: AssessmentRow,
  frameworks: readonly Pick<FrameworkRow, 'id' | 'key'>[],
): Promise<readonly SnapshotResult[]> {
  const live = await liveTerms(tx, { frameworks, atMs: kernel.clock.now() })
  const assessed = new Map((await resultsOf(tx, row.id)).map((one) => [one.control_id, one]))
  const digests = await digestsOf(tx, [...assessed.values()])
  const titles = new Map(
    (
      await tx.query(sql<{ id: string; title: string }>`
        select id, title from compliance_control where framework_id = any(${[...row.framework_ids]}::uuid[])`)
    ).map(({ id, title }) => [id, title]),
  )
  const controls = [...(await scoredControls(tx, row.framework_ids))].sort((a, b) =>
    `${a.framework_id} ${a.ref}` < `${b.framework_id} ${b.ref}` ? -1 : 1,
  )
  return controls.map((control) => {
    const own = assessed.get(control.id)
    const terms = live.terms(control)
    return {
      ...(own ?? unassessed(control, titles.get(control.id) ?? '')),
      ...(control.applicable ? {} : { result: 'not_applicable' as const }),
      ...{ weight: control.weight, evidence_value: terms.evidence },
      evidence: (own?.evidence_ids ?? []).map((id) => ({ evidence_id: id, sha256: digests.get(id) ?? '' })),
    }
  })
}

function unassessed(
  { id, framework_id, ref }: { readonly id: string; readonly framework_id: string; readonly ref: string },
  title: string,
): ShownResult {
  return {
    ...{ control_id: id, framework_id, ref, title, result: 'not_assessed', share: null, grading: null, note: null },
    ...{ source: 'person', evidence_ids: [] },
  }
}

async function digestsOf(tx: Tx, results: readonly ShownResult[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(results.flatMap((one) => one.evidence_ids))]
  const rows = await tx.query(sql<{ id: string; sha256: string }>`
    select id, sha256 from compliance_evidence where id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, sha256: digest }) => [id, digest]))
}

export const scoresOf = ({ frameworks }: Snapshot): FrameworkScores => ({
  frameworks: frameworks.map(({ id, key, score }) => ({ framework_id: id, key, score })),
})

type SealParts = Pick<Kernel, 'clock' | 'random' | 'signingKeys'>

/** Seals the snapshot as evidence. Gives its id and digest. */
export async function sealSnapshot(
  kernel: SealParts,
  tx: Tx,
  { snapshot, actorId }: { readonly snapshot: Snapshot; readonly actorId: string | null },
): Promise<{ readonly id: string; readonly sha256: string }> {
  const document = canonicalJson(snapshot)
  const at = snapshot.completed_at
  const until = new Date(Date.parse(at) + validDays * dayMs).toISOString()
  const row: EvidenceRow = {
    ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: at, updated_at: at },
    ...{ kind: 'system_export', title: `Assessment: ${snapshot.assessment.name}`.slice(0, 200), description: null },
    ...{ status: 'accepted', check_id: null, source_ref: `compliance_assessment:${snapshot.assessment.id}`, url: null },
    ...{ collected_at: at, valid_from: at, valid_until: until, period_start: snapshot.assessment.period_start },
    ...{ period_end: snapshot.assessment.period_end, versions: 1, sha256: sha256(document), created_by: actorId },
    ...{ reviewed_by: null, reviewed_at: null, warned_days: null },
  }
  await evidence.insert(tx, row)
  const { kind, title, source_ref, sha256: digest, collected_at, valid_until } = row
  await appendRecords(kernel, tx, [
    {
      record: {
        ...{ evidence_id: row.id, number: 1, kind, title, check_id: null, source_ref, sha256: digest },
        ...{ bytes: Buffer.byteLength(document), media_type: 'application/json', file_name: null },
        ...{ scan: 'not_scanned', collected_at, valid_until, actor_id: actorId },
      },
      document,
      blobId: null,
    },
  ])
  return { id: row.id, sha256: digest }
}

/** The sealed snapshot of a completed assessment. */
export async function sealedSnapshot(tx: Tx, { snapshot_id: id }: AssessmentRow): Promise<Snapshot | null> {
  if (id === null) return null
  const row = await tx.first(sql<{ document: string }>`
    select document from compliance_record where evidence_id = ${id} and number = 1`)
  return row === null ? null : (JSON.parse(row.document) as Snapshot)
}
