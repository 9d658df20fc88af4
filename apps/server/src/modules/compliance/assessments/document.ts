/**
 * A completed assessment as a document for people, made from its sealed snapshot alone, so that equal snapshots give equal
 * bytes. Pure. Tested in document.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Cell, DocumentSection, Figure, WrittenDocument } from '../../../kernel/documents/document.ts'
import { version as productVersion } from '../../../version.ts'
import { results } from '../scoring/words.ts'
import type { Snapshot, SnapshotResult } from './snapshot.ts'

export function assessmentDocument(snapshot: Snapshot): WrittenDocument {
  const { assessment, completed_at, tenant_id: tenant, notice, frameworks, classification } = snapshot
  const sections = [
    summarySection(snapshot),
    ...frameworks.flatMap((framework) => frameworkSections(snapshot, framework)),
    ...(classification === null ? [] : [classificationSection(classification)]),
    evidenceSection(snapshot),
  ]
  return {
    title: assessment.name,
    subject: `Assessment ${assessment.id} of tenant ${tenant}`,
    product_version: productVersion,
    snapshot_at: completed_at,
    origin: `Tenant ${tenant}, assessment ${assessment.id}.`,
    notes: [notice, 'A mapping between frameworks is an aid, not a finding of conformity.'],
    digest: canonicalHash(snapshot),
    sections,
  }
}

const figuresOf = (entries: Readonly<Record<string, Cell>>): readonly Figure[] =>
  Object.entries(entries).map(([label, value]) => ({ label, value }))

const rounded = (value: number | null, digits = 2): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits

const words = (name: string): string => name.replaceAll('_', ' ')

function summarySection(snapshot: Snapshot): DocumentSection {
  const { assessment, completed_at: at, frameworks, coefficients } = snapshot
  return {
    title: 'Summary',
    description: 'Unassessed controls count as 0 in the score and as 1 in the possible score.',
    figures: figuresOf({
      Type: words(assessment.type),
      Scope: assessment.scope,
      ...(assessment.agent_id === null ? {} : { Agent: assessment.agent_id }),
      'Period from': assessment.period_start,
      'Period to': assessment.period_end,
      'Completed at': at,
      Assessors: assessment.assessor_ids.length === 0 ? 'none named' : assessment.assessor_ids.join(', '),
      'Approved by': assessment.approver_id ?? 'nobody: completed from checks or answers',
      'Weight of a claim without evidence (alpha)': coefficients.alpha,
    }),
    charts: [],
    tables:
      frameworks.length === 0
        ? []
        : [
            {
              title: 'Scores',
              columns: ['Framework', 'Edition', 'Score', 'Possible', 'Assessed only', 'Coverage', 'Current evidence'],
              rows: frameworks.map(({ key, edition, score }) => [
                ...[key, edition, rounded(score.score), rounded(score.score_possible)],
                ...[rounded(score.score_assessed_only), rounded(score.coverage, 3), rounded(score.evidence_current, 3)],
              ]),
            },
          ],
  }
}

function frameworkSections(
  snapshot: Snapshot,
  { id, key, edition, sha256, score }: Snapshot['frameworks'][number],
): readonly DocumentSection[] {
  const own = snapshot.results.filter((one) => one.framework_id === id)
  const counted = results.map((result) => ({
    label: words(result),
    value: own.filter((one) => one.result === result).length,
  }))
  return [
    {
      title: `${key} ${edition}`,
      description: 'Result of every control in scope.',
      figures: figuresOf({ Controls: own.length, Applicable: score.controls, 'SHA-256 of the framework': sha256 }),
      charts: [{ form: 'bars', title: 'Controls by result', bars: counted }],
      tables: [gapTable(own), resultTable(own)].flatMap((table) => (table.rows.length === 0 ? [] : [table])),
    },
  ]
}

/** Those with the most weight first. */
function gapTable(own: readonly SnapshotResult[]) {
  const gaps = own.filter(({ result }) => result !== 'satisfied' && result !== 'not_applicable')
  return {
    title: 'Gaps',
    columns: ['Control', 'Title', 'Weight', 'Result', 'Grading'],
    rows: gaps
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ ref, title, weight, result, grading }): Cell[] => [
        ...[ref, title, weight, words(result), grading === null ? null : words(grading)],
      ]),
  }
}

function resultTable(own: readonly SnapshotResult[]) {
  return {
    title: 'Results',
    columns: ['Control', 'Title', 'Weight', 'Result', 'Share', 'Source', 'Evidence', 'Note'],
    rows: own.map((one): Cell[] => [
      ...[one.ref, one.title, one.weight, words(one.result), one.share, one.source],
      ...[rounded(one.evidence_value, 3), one.note],
    ]),
  }
}

function classificationSection(classification: NonNullable<Snapshot['classification']>): DocumentSection {
  const { tiers, reasons, obligations, penalty, timetable } = classification
  return {
    title: 'Classification under the EU AI Act',
    description: 'Tiers with the article of each reason, and the obligations of the role with their dates.',
    figures: figuresOf({ Tiers: tiers.map(words).join(', '), Timetable: timetable, Penalty: penalty }),
    charts: [],
    tables: [
      {
        title: 'Reasons',
        columns: ['Question', 'Article', 'Reason'],
        rows: reasons.map(({ question, article, text }): Cell[] => [words(question), article, text]),
      },
      {
        title: 'Obligations',
        columns: ['Provision', 'Title', 'Applies from'],
        rows: obligations.map(({ ref, title, applies_from: from }): Cell[] => [ref, title, from]),
      },
    ].flatMap((table) => (table.rows.length === 0 ? [] : [table])),
  }
}

/** Each piece of evidence once, with the controls that it was relied on for. */
function evidenceSection({ results: all }: Snapshot): DocumentSection {
  const relied = new Map<string, { readonly sha256: string; readonly refs: string[] }>()
  for (const { ref, evidence } of all)
    for (const { evidence_id: id, sha256 } of evidence) {
      const known = relied.get(id) ?? { sha256, refs: [] }
      known.refs.push(ref)
      relied.set(id, known)
    }
  return {
    title: 'Evidence',
    description: 'Evidence that the results rely on, with the SHA-256 of its content.',
    figures: [],
    charts: [],
    tables:
      relied.size === 0
        ? []
        : [
            {
              title: 'Evidence by SHA-256',
              columns: ['Evidence', 'SHA-256', 'Controls'],
              rows: [...relied].map(([id, { sha256, refs }]): Cell[] => [id, sha256, refs.join(', ')]),
            },
          ],
  }
}
