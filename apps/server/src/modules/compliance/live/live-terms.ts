/** Reads what `termsOf` needs for controls of one tenant: their rows, the states of checks and linked evidence. */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { supportsOf } from '../checks/registry.ts'
import type { CheckRow } from '../declared/check-schema.ts'
import { checkStates } from '../declared/check-table.ts'
import type { ControlRow } from '../declared/control-schema.ts'
import type { FrameworkRow, Score } from '../declared/framework-schema.ts'
import { frameworkScore } from '../scoring/score.ts'
import { type LinkedEvidence, type SupportingCheck, type Terms, termsOf } from './terms.ts'

/** Columns of a control that its terms depend on. */
export type TermRow = Pick<
  ControlRow,
  | 'id'
  | 'framework_id'
  | 'ref'
  | 'weight'
  | 'applicable'
  | 'withdrawn'
  | 'needs_review'
  | 'result'
  | 'result_share'
  | 'due_at'
>

const termColumns = sql`id, framework_id, ref, weight, applicable, withdrawn, needs_review, result, result_share, due_at`

export interface LiveTerms {
  readonly terms: (control: TermRow) => Terms
  readonly supports: (
    control: Pick<TermRow, 'framework_id' | 'ref'>,
  ) => readonly (SupportingCheck & { readonly title: string; readonly checkId: string })[]
  readonly linked: (controlId: string) => readonly LinkedEvidence[]
}

interface LinkRow extends LinkedEvidence {
  readonly control_id: string
}

/** @param where a condition on `compliance_claim` as `claim` */
export async function liveTerms(tx: Tx, { frameworks, atMs, where = sql`true` }: Wanted): Promise<LiveTerms> {
  const keys = new Map(frameworks.map(({ id, key }) => [id, key]))
  const states = new Map(
    (await tx.query(sql<CheckRow>`select ${checkStates.columns} from compliance_check`)).map((row) => [row.id, row]),
  )
  const links = new Map<string, LinkRow[]>()
  for (const link of await tx.query(linkRows(where)))
    links.set(link.control_id, [...(links.get(link.control_id) ?? []), link])
  const supports: LiveTerms['supports'] = ({ framework_id: id, ref }) =>
    supportsOf(keys.get(id) ?? '', ref).map(({ check, part }) => ({
      ...{ part, title: check.title, checkId: check.id, state: states.get(check.id) ?? null },
    }))
  const linked = (controlId: string) => links.get(controlId) ?? []
  return { supports, linked, terms: (control) => termsOf(control, supports(control), linked(control.id), atMs) }
}

export interface Wanted {
  readonly frameworks: readonly Pick<FrameworkRow, 'id' | 'key'>[]
  /** Unix milliseconds. */
  readonly atMs: number
  readonly where?: SqlPart
}

const linkRows = (where: SqlPart) => sql<LinkRow>`
  select claim.control_id, claim.part, held.id as evidence_id, held.kind, held.title,
    held.reviewed_at is not null as reviewed, held.valid_from, held.valid_until
  from compliance_claim claim join compliance_evidence held on held.id = claim.evidence_id
  where held.status <> 'superseded' and ${where}`

/** Controls of frameworks that are scored: neither withdrawn nor waiting for a review. */
export function scoredControls(tx: Tx, frameworkIds: readonly string[]): Promise<readonly TermRow[]> {
  return tx.query(sql<TermRow>`
    select ${termColumns} from compliance_control
    where framework_id = any(${frameworkIds}::uuid[]) and not withdrawn and not needs_review`)
}

/** The live score of each framework. */
export async function liveScores(
  tx: Tx,
  frameworks: readonly Pick<FrameworkRow, 'id' | 'key'>[],
  atMs: number,
): Promise<ReadonlyMap<string, Score>> {
  const rows = await scoredControls(
    tx,
    frameworks.map(({ id }) => id),
  )
  const live = await liveTerms(tx, { frameworks, atMs })
  const terms = new Map<string, Terms[]>()
  for (const row of rows) {
    const known = terms.get(row.framework_id)
    if (known === undefined) terms.set(row.framework_id, [live.terms(row)])
    else known.push(live.terms(row))
  }
  return new Map(frameworks.map(({ id }) => [id, frameworkScore(terms.get(id) ?? [])]))
}
