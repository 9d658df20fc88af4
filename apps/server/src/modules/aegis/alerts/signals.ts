/** Alerts as evidence for the trust score. Tested in signals.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { TrustSignal } from '../../../kernel/trust-signals.ts'

const source = '/api/v1/aegis/alerts'
const days = 30

/** Alerts of the last 30 days that the score looks back on. */
const since = (at: string): string => new Date(Date.parse(at) - days * 86_400_000).toISOString()

/**
 * Alerts that were closed inside their SLA in the last 30 days, among those that were closed and those that are open past
 * their time: leaving an alert open does not keep it out of the share.
 * @param at ISO time of the score
 */
export async function alertSla(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(sql<{ good: number; n: number }>`
    select count(*)::int as n, (count(*) filter (where resolved_at is not null and resolved_at <= resolve_due))::int as good
    from aegis_alert
    where resolve_due is not null and status <> 'suppressed'
      and (resolved_at > ${since(at)} or (resolved_at is null and resolve_due <= ${at}))`)
  const { good, n } = row ?? { good: 0, n: 0 }
  const id = 'alert_sla'
  if (n === 0) return { id, good: null, value: null, n: null, observed_at: null, source_ref: source }
  return { id, good, value: null, n, observed_at: at, source_ref: source }
}

type PressureEvent = NonNullable<TrustSignal['events']>[number]

/** Open alerts that count at most; of more the newest. */
const mostEvents = 10_000

/**
 * Alerts that press on the score: those that are open, and those that were resolved in the last 90 days, when three
 * quarters and more of their weight is gone by any half-life in use. Suppressed ones and false positives do not press.
 */
export async function alertPressure(tx: Tx, at: string): Promise<readonly PressureEvent[]> {
  const from = new Date(Date.parse(at) - 90 * 86_400_000).toISOString()
  const rows = await tx.query(sql<{
    id: string
    severity: PressureEvent['severity']
    created_at: string
    ended_at: string | null
  }>`
    select id, severity, created_at, resolved_at as ended_at from aegis_alert
    where severity <> 'info' and suppressed_by is null
      and (status in ('new', 'triaged', 'in_progress')
        or (resolved_at > ${from} and resolution in ('true_positive', 'benign_true_positive')))
    order by created_at desc, id desc limit ${mostEvents}`)
  return rows.map(({ id, severity, created_at: opened, ended_at: ended }) => ({
    id: `alert:${id}`,
    severity,
    at: opened,
    ...(ended === null ? {} : { closed_at: ended }),
  }))
}

/** When the rules looked at an event of the tenant last; null for never. */
export async function watchedUntil(tx: Tx): Promise<string | null> {
  const row = await tx.first(sql<{ watched_at: string }>`select watched_at from aegis_watch`)
  return row?.watched_at ?? null
}
