/** Controls of adopted frameworks: how they are listed and seen, with their live state. Tested in controls.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { Inherited } from '../crosswalk/infer.ts'
import type { Control, ControlFilter, ControlRow, ListedControl } from '../declared/control-schema.ts'
import { controls } from '../declared/control-table.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import { type Inferring, inferenceFor } from '../live/inference.ts'
import { type LiveTerms, liveTerms } from '../live/live-terms.ts'
import type { LinkedEvidence, Terms } from '../live/terms.ts'
import { effectiveMaturity } from '../scoring/maturity.ts'
import { freshness, gapPriority, strengthOf } from '../scoring/score.ts'

const dayMs = 86_400_000

export interface ControlList {
  readonly page: PageRequest
  readonly filter: ControlFilter
  /** Unix milliseconds. */
  readonly atMs: number
}

export async function listControls(
  tx: Tx,
  { page, filter, atMs }: ControlList,
): Promise<Page<Versioned<Omit<ListedControl, 'etag'>>>> {
  const { framework_id: frameworkId, ref, q, implementation_status: status, owner_user_id: owner } = filter
  const { applicable, due_before: due, withdrawn = false } = filter
  const where = [
    sql`withdrawn = ${withdrawn}`,
    frameworkId === undefined
      ? sql`framework_id in (select id from compliance_framework where adoption = 'adopted')`
      : sql`framework_id = ${frameworkId}`,
    ...(ref === undefined ? [] : [sql`ref = ${ref}`]),
    ...(q === undefined
      ? []
      : [
          sql`(lower(ref) like ${likePrefix(q)} or lower(title) like ${likePrefix(q)}
      or lower(title) like ${`% ${likePrefix(q)}`})`,
        ]),
    ...(status === undefined ? [] : [sql`implementation_status = ${status}`]),
    ...(owner === undefined ? [] : [sql`owner_user_id = ${owner}`]),
    ...(applicable === undefined ? [] : [sql`applicable = ${applicable}`]),
    ...(due === undefined ? [] : [sql`due_at < ${due}`]),
  ]
  const found = await controls.page(tx, page, join(where, ' and '))
  const live = await liveOf(tx, found.items, atMs)
  return { ...found, items: found.items.map((row) => new Versioned(listedControl(row, live, atMs), row.version)) }
}

interface Live {
  readonly terms: LiveTerms
  readonly inference: Inferring
  readonly keys: ReadonlyMap<string, string>
}

async function liveOf(tx: Tx, rows: readonly ControlRow[], atMs: number): Promise<Live> {
  const frameworks = await tx.query(sql<Pick<FrameworkRow, 'id' | 'key'>>`
    select id, key from compliance_framework where id = any(${[...new Set(rows.map((row) => row.framework_id))]}::uuid[])`)
  const ids = rows.map(({ id }) => id)
  return {
    terms: await liveTerms(tx, { frameworks, atMs, where: sql`claim.control_id = any(${ids}::uuid[])` }),
    inference: await inferenceFor(tx, atMs),
    keys: new Map(frameworks.map(({ id, key }) => [id, key])),
  }
}

const nameOf = ({ keys }: Live, row: ControlRow): string => `${keys.get(row.framework_id) ?? ''} ${row.ref}`

function listedControl(row: ControlRow, live: Live, atMs: number): Omit<ListedControl, 'etag'> {
  const {
    statement: _statement,
    guidance: _guidance,
    params: _params,
    remediation: _remediation,
    ...shown
  } = shownColumns(row)
  const terms = live.terms.terms(row)
  const { lower } = inheritedBy(live, row)
  return {
    ...shown,
    ...liveMembers(row, terms),
    priority: priorityOf(row, terms, { atMs, leverage: live.inference.leverage(nameOf(live, row)) }),
    lower_bound: lower,
  }
}

function shownColumns(row: ControlRow) {
  const {
    version: _version,
    result: _result,
    result_share: _share,
    result_at: _at,
    assessment_id: _assessment,
    decisions: _decisions,
    ...shown
  } = row
  return shown
}

function liveMembers(row: ControlRow, terms: Terms) {
  return {
    result: terms.result,
    result_source: terms.source,
    score: row.withdrawn || row.needs_review ? null : terms.score,
    score_terms: { v: terms.value, e: terms.evidence, alpha: terms.alpha },
    evidence_state: terms.state,
    evidence_count: terms.count,
  }
}

interface Priority {
  /** Unix milliseconds. */
  readonly atMs: number
  readonly leverage: number
}

function priorityOf(row: ControlRow, { score, weight }: Terms, { atMs, leverage }: Priority): number | null {
  if (score === null || score >= 1 || row.withdrawn || row.needs_review) return null
  const daysLeft = row.due_at === null ? null : (Date.parse(row.due_at) - atMs) / dayMs
  return gapPriority({ weight, score, daysLeft, leverage })
}

type Decided = Control['inherited'][0]

/** Inheritance of a control, with the decisions of people: rejected mappings do not count, accepted ones do. */
function inheritedBy(live: Live, row: ControlRow) {
  const { inherited, upper, conflict } = live.inference.infer(nameOf(live, row))
  const decided = inherited.map(
    (one): Decided => ({
      ...one,
      path: [...one.path],
      mapping_ids: [...one.mapping_ids],
      state: decisionOn(row, one),
    }),
  )
  const lower = decided.reduce(
    (best, { state, outcome, k }) => (state === 'accepted' && outcome !== 'not_satisfied' ? Math.max(best, k) : best),
    0,
  )
  return {
    inherited: decided,
    lower: decided.length === 0 ? null : lower,
    upper: decided.length === 0 ? null : upper,
    conflict,
  }
}

/** A full inheritance is accepted by itself; a partial one waits for a person. */
function decisionOn({ decisions }: ControlRow, { mapping_ids: ids, relation, assumed }: Inherited): Decided['state'] {
  const decided = decisions.find((decision) => decision.mapping_ids.join() === ids.join())
  if (decided !== undefined) return decided.state
  return (relation === 'equal-to' || relation === 'superset-of') && !assumed ? 'accepted' : 'suggested'
}

export async function seeControl(tx: Tx, id: string, atMs: number): Promise<Versioned<Control>> {
  const row = await controls.need(tx, id)
  return new Versioned(await controlView(tx, row, atMs), row.version)
}

export async function controlView(tx: Tx, row: ControlRow, atMs: number): Promise<Control> {
  const live = await liveOf(tx, [row], atMs)
  const terms = live.terms.terms(row)
  const linked = live.terms.linked(row.id)
  const supports = live.terms.supports(row)
  const { inherited, lower, upper, conflict } = inheritedBy(live, row)
  const kinds = [
    ...linked.filter(({ valid_until: until }) => Date.parse(until) >= atMs).map(({ kind }) => kind),
    ...supports.flatMap(({ state }) => (state?.outcome === 'pass' ? ['check_run' as const] : [])),
  ]
  const maturity = row.maturity_claimed === null ? null : effectiveMaturity(row.maturity_claimed, kinds)
  return {
    ...shownColumns(row),
    ...liveMembers(row, terms),
    maturity_effective: maturity?.effective ?? null,
    maturity_reason: maturity?.reason ?? null,
    checks: supports.map(({ checkId, title, part, state }) => ({
      ...{ check_id: checkId, title, part, outcome: state?.outcome ?? null },
      ...{ run_at: state?.run_at ?? null, evidence_id: state?.evidence_id ?? null },
    })),
    evidence: linked.map((one) => linkedView(one, atMs)),
    ...{ inherited, lower_bound: lower, upper_bound: upper, conflict },
    notice: 'A mapping is an aid, not a finding of conformity.',
  }
}

function linkedView({ reviewed, valid_from: from, ...one }: LinkedEvidence, atMs: number) {
  const { evidence_id, kind, title, part, valid_until } = one
  return {
    ...{ evidence_id, kind, title, part, valid_until },
    freshness: freshness({ fromMs: Date.parse(from), untilMs: Date.parse(valid_until) }, atMs),
    strength: strengthOf(kind, reviewed),
  }
}
