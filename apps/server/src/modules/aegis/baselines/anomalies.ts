/** Anomalies, stored and listed. Tested in baselines.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AgentRow } from '../agents/schema.ts'
import { openAlert } from '../alerts/open-alert.ts'
import { type Finding, scoreOf, severityOf } from './engine/finding.ts'
import { agentAnomaly } from './events.ts'
import { hourMs } from './hours.ts'
import type { Anomaly, AnomalyFilter } from './schema.ts'
import { type AnomalyRow, anomalies } from './tables.ts'

/** Findings of one hour. */
export interface FoundIn {
  readonly findings: readonly Finding[]
}

type Parts = Pick<Kernel, 'clock' | 'random'>

/** Stores findings, each once, and tells of them. @returns how many are new */
export async function storeAnomalies(
  kernel: Parts,
  tx: Tx,
  agent: AgentRow,
  found: readonly FoundIn[],
): Promise<number> {
  const rows: AnomalyRow[] = []
  for (const { findings } of found) {
    const score = scoreOf(findings)
    for (const finding of findings) rows.push(await rowOf(kernel, tx, { agent, finding, score }))
  }
  if (rows.length === 0) return 0
  const stored = await tx.query(
    sql<{
      id: string
    }>`${insertRows(anomalies, rows)} on conflict on constraint aegis_anomaly_once do nothing returning id`,
  )
  const ids = new Set(stored.map(({ id }) => id))
  const fresh: AnomalyRow[] = []
  for (const row of rows)
    if (ids.has(row.id)) fresh.push({ ...row, alert_id: await openAlertOf(kernel, tx, { agent, row }) })
  await tx.emitAll(
    agentAnomaly,
    fresh.map((row) => ({ subject: row.id, data: toldOf(agent, row) })),
  )
  return fresh.length
}

interface Stored {
  readonly agent: AgentRow
  readonly row: AnomalyRow
}

/** From medium severity on an anomaly has an alert, unless the rule is disabled or suppressed. */
async function openAlertOf(kernel: Parts, tx: Tx, { agent, row }: Stored): Promise<string | null> {
  if (row.severity === 'low') return null
  const { id, detector, feature, observed, expected, created_at: at, baseline } = row
  const group = baseline === 'peers' ? ' as its peers' : ''
  const alert = await openAlert(kernel, tx, {
    rule: 'agent_anomaly',
    groupBy: { agent_id: agent.id, detector, feature },
    title: `${agent.name} behaves unlike ${baseline === 'peers' ? 'its peers' : 'itself'}: ${feature}`,
    severity: row.severity,
    entities: [{ type: 'agent', id: agent.id, name: agent.name }],
    evidence: [
      {
        id,
        source: 'aegis.anomaly',
        at,
        request_id: null,
        summary: `${detector}: ${observed} instead of ${expected}${group}`,
      },
    ],
  })
  if (alert === null) return null
  await tx.execute(sql`update aegis_anomaly set alert_id = ${alert.id} where id = ${id}`)
  return alert.id
}

interface Found {
  readonly agent: AgentRow
  readonly finding: Finding
  readonly score: number
}

async function rowOf({ clock, random }: Parts, tx: Tx, { agent, finding, score }: Found): Promise<AnomalyRow> {
  const { detector, feature, observed, expected, threshold, from, to, baseline } = finding
  const window = {
    window_start: new Date(from * hourMs).toISOString(),
    window_end: new Date(to * hourMs).toISOString(),
  }
  const causes = await causesOf(tx, agent.id, { ...window, feature })
  const at = clock.iso()
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: at, updated_at: at, agent_id: agent.id },
    ...{ detector, feature, ...window, observed, expected, threshold, baseline },
    ...{ score, severity: severityOf(score, agent.risk_tier) },
    contributors: causes.map(({ event_id }) => event_id),
    session_ids: [...new Set(causes.map(({ session_id }) => session_id))],
    ...{ alert_id: null, label: null, labeled_at: null },
  }
}

const mostContributors = 100

interface Cause {
  readonly event_id: string
  readonly session_id: string
}

interface CauseSpan {
  readonly window_start: string
  readonly window_end: string
  readonly feature: string
}

/** The events behind a finding: of the feature's own first, the newest first. */
function causesOf(
  tx: Tx,
  agentId: string,
  { window_start, window_end, feature }: CauseSpan,
): Promise<readonly Cause[]> {
  return tx.query(
    sql<Cause>`
      select event_id, session_id from aegis_activity
      where agent_id = ${agentId} and time >= ${window_start} and time < ${window_end}
      order by ${relevance(feature)}, time desc, event_id limit ${mostContributors}`,
  )
}

/** False, which sorts first, for events that the feature is about. */
function relevance(feature: string): SqlPart {
  const name = feature.slice(feature.indexOf(':') + 1)
  if (feature.startsWith('tool:')) return sql`(coalesce(server, 'local') || '/' || tool) is distinct from ${name}`
  if (feature.startsWith('model:')) return sql`(coalesce(provider, 'unknown') || '/' || model) is distinct from ${name}`
  if (feature.startsWith('destination:')) return sql`destination is null or not destination like ${`%${name}`}`
  if (feature === 'error_ratio') return sql`outcome not in ('tool_error', 'protocol_error', 'timeout')`
  if (feature === 'denied') return sql`outcome <> 'denied'`
  if (feature === 'bytes_out') return sql`bytes_out is null`
  return feature.startsWith('tool') ? sql`type <> 'tool.call'` : sql`agent_id is null`
}

function toldOf({ name, risk_tier }: AgentRow, row: AnomalyRow) {
  const { id, agent_id, detector, feature, observed, expected, threshold, score, severity } = row
  const { window_start, window_end, session_ids, alert_id } = row
  return {
    ...{ anomaly_id: id, agent_id, agent_name: name, risk_tier, detector, feature, observed, expected, threshold },
    ...{ score, severity, window_start, window_end, session_ids, alert_id },
  }
}

export function listAnomalies(tx: Tx, page: PageRequest, filter: AnomalyFilter): Promise<Page<Anomaly>> {
  const { agent_id, detector, severity, label, from, to, q } = filter
  const where: readonly SqlPart[] = [
    sql`true`,
    ...(agent_id === undefined ? [] : [sql`agent_id = ${agent_id}`]),
    ...(detector === undefined ? [] : [sql`detector = ${detector}`]),
    ...(severity === undefined ? [] : [sql`severity = ${severity}`]),
    ...(label === undefined ? [] : [sql`coalesce(label, 'none') = ${label}`]),
    ...(from === undefined ? [] : [sql`window_start >= ${from}`]),
    ...(to === undefined ? [] : [sql`window_start < ${to}`]),
    ...(q === undefined ? [] : [sql`lower(feature) like ${likePrefix(q)}`]),
  ]
  return anomalies.page(tx, page, join(where, ' and '))
}
