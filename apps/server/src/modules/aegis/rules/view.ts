/** Rules as they are shown, with their suppressions and how they do. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { HealthRow, ListedRule, Rule, RuleRow } from './declared/schema.ts'
import { ruleHealth } from './declared/tables.ts'
import { p99Of } from './detection/health.ts'
import { suppressionsOf } from './suppressions/suppressions.ts'

interface Verdicts {
  readonly rule_id: string
  readonly resolved: number
  readonly false_positives: number
}

/** Views of the rules, in their order. */
export async function ruleViews(tx: Tx, rows: readonly RuleRow[]): Promise<readonly Rule[]> {
  const ids = rows.map(({ id }) => id)
  const suppressions = await suppressionsOf(tx, ids)
  const health = new Map((await healthOf(tx, ids)).map((row) => [row.rule_id, row]))
  const verdicts = new Map((await verdictsOf(tx, ids)).map((row) => [row.rule_id, row]))
  return rows.map((row) => ({
    ...shown(row),
    suppressions: suppressions
      .filter(({ rule_id: id }) => id === row.id)
      .map(({ tenant_id: _tenant, rule_id: _rule, ...told }) => told),
    health: healthView(health.get(row.id), verdicts.get(row.id)),
  }))
}

export async function ruleView(tx: Tx, row: RuleRow): Promise<Rule> {
  const [view] = await ruleViews(tx, [row])
  if (view === undefined) throw new TypeError('One rule has one view')
  return view
}

export function listedRule({ source_text: _text, ...view }: Rule): ListedRule {
  return view
}

function shown(row: RuleRow): Omit<Rule, 'suppressions' | 'health'> {
  const { version: _version, pack_key: _key, pack_version: _pack, channels: _channels, definition, ...plain } = row
  const { type: _type, sources, ...told } = definition
  const [only] = sources
  const isPlain = sources.length === 1
  return {
    ...plain,
    ...told,
    sources,
    condition: isPlain ? (only?.condition ?? null) : null,
    detection: isPlain ? (only?.detection ?? null) : null,
  }
}

function healthView(row: HealthRow | undefined, verdicts: Verdicts | undefined): Rule['health'] {
  const { events = 0, matches = 0, late = 0, errors = 0, groups = 0, last_match_at: last = null } = row ?? {}
  const ratio = verdicts === undefined || verdicts.resolved === 0 ? null : verdicts.false_positives / verdicts.resolved
  return {
    events,
    matches,
    late,
    errors,
    groups,
    fp_ratio: ratio,
    p99_us: p99Of(row?.durations ?? []),
    last_match_at: last,
  }
}

const healthOf = (tx: Tx, ids: readonly string[]): Promise<readonly HealthRow[]> =>
  tx.query(sql<HealthRow>`
    select ${ruleHealth.columns} from aegis_rule_health where rule_id = any(${[...ids]}::uuid[])`)

const verdictsOf = (tx: Tx, ids: readonly string[]): Promise<readonly Verdicts[]> =>
  tx.query(sql<Verdicts>`
    select rule_id, count(*)::int as resolved,
      (count(*) filter (where resolution = 'false_positive'))::int as false_positives
    from aegis_alert where rule_id = any(${[...ids]}::uuid[]) and resolution is not null
    group by rule_id`)
