/** Named facts about alerts and rules that other modules may read. Tested in facts.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { severities, unresolvedStatuses } from './declared/words.ts'

const Count = Type.Integer({ minimum: 0 })

const OpenAlert = strictObject({
  id: Uuid,
  rule_id: Uuid,
  severity: oneOf(...severities),
  status: oneOf(...unresolvedStatuses),
  created_at: Timestamp,
  resolve_due: nullable(Timestamp),
  breached: Type.Boolean(),
})

const Counts = {
  open_critical: Count,
  open_high: Count,
  open_medium: Count,
  open_low: Count,
  open_info: Count,
  open_breached: Count,
  closed_30d: Count,
  closed_in_sla_30d: Count,
  false_positives_30d: Count,
}
const CountRow = strictObject(Counts)

export const alertsFact = defineFact({
  name: 'aegis.alerts',
  description:
    'Open alerts by severity, alerts closed in the last 30 days and how many of them inside their SLA, and the newest open ones.',
  permission: 'aegis:read',
  schema: strictObject({ ...Counts, open: Type.Array(OpenAlert, { maxItems: 100 }) }),
  read: async ({ tx, at }) => {
    const from = new Date(Date.parse(at) - 30 * 86_400_000).toISOString()
    const counts = await tx.first(sql<Static<typeof CountRow>>`
      select (count(*) filter (where open and severity = 'critical'))::int as open_critical,
        (count(*) filter (where open and severity = 'high'))::int as open_high,
        (count(*) filter (where open and severity = 'medium'))::int as open_medium,
        (count(*) filter (where open and severity = 'low'))::int as open_low,
        (count(*) filter (where open and severity = 'info'))::int as open_info,
        (count(*) filter (where open and breached <> '{}'))::int as open_breached,
        (count(*) filter (where not open))::int as closed_30d,
        (count(*) filter (where not open and (resolve_due is null or resolved_at <= resolve_due)))::int as closed_in_sla_30d,
        (count(*) filter (where not open and resolution = 'false_positive'))::int as false_positives_30d
      from (
        select *, status in ('new', 'triaged', 'in_progress') as open from aegis_alert
        where status in ('new', 'triaged', 'in_progress') or resolved_at > ${from}) alert`)
    const open = await tx.query(sql<Static<typeof OpenAlert>>`
      select id, rule_id, severity, status, created_at, resolve_due, breached <> '{}' as breached from aegis_alert
      where status in ('new', 'triaged', 'in_progress')
      order by created_at desc, id desc limit 100`)
    return { ...(counts ?? none), open: [...open] }
  },
})

const none: Static<typeof CountRow> = {
  ...{ open_critical: 0, open_high: 0, open_medium: 0, open_low: 0, open_info: 0, open_breached: 0 },
  ...{ closed_30d: 0, closed_in_sla_30d: 0, false_positives_30d: 0 },
}

export const detectionRulesFact = defineFact({
  name: 'aegis.detection_rules',
  description: 'Detection rules by status, and when they looked at an event of the tenant last.',
  permission: 'aegis:read',
  schema: strictObject({ enabled: Count, disabled: Count, suppressions: Count, watched_at: nullable(Timestamp) }),
  read: async ({ tx, at }) => {
    const row = await tx.first(sql<{
      enabled: number
      disabled: number
      suppressions: number
      watched_at: string | null
    }>`
      select (count(*) filter (where status = 'enabled'))::int as enabled,
        (count(*) filter (where status = 'disabled'))::int as disabled,
        (select count(*)::int from aegis_suppression where expires_at > ${at}) as suppressions,
        (select watched_at from aegis_watch) as watched_at
      from aegis_detection_rule`)
    return row ?? { enabled: 0, disabled: 0, suppressions: 0, watched_at: null }
  },
})
