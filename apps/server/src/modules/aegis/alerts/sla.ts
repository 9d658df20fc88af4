/**
 * Times within which an alert has to be acknowledged and resolved, by its severity. Pure: all times are ISO 8601 in UTC.
 * Tested in sla.test.ts.
 */
import type { AlertStatus, Severity, SlaTimer } from './declared/words.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Limits {
  readonly acknowledgeMs: number
  readonly resolveMs: number
}

/** Alerts of severity `info` have no timers. */
const limits: Readonly<Record<Severity, Limits | null>> = {
  critical: { acknowledgeMs: 15 * minute, resolveMs: 4 * hour },
  high: { acknowledgeMs: hour, resolveMs: 24 * hour },
  medium: { acknowledgeMs: 8 * hour, resolveMs: 72 * hour },
  low: { acknowledgeMs: 72 * hour, resolveMs: 14 * day },
  info: null,
}

/** Days after which a resolved alert is closed. */
export const closesAfterDays = 7

export interface Clocked {
  readonly status: AlertStatus
  readonly acknowledged_at: string | null
  readonly ack_due: string | null
  readonly resolve_due: string | null
  readonly resolved_at: string | null
  readonly breached: readonly SlaTimer[]
  readonly suppressed_until: string | null
}

export const laterBy = (from: string, ms: number): string => new Date(Date.parse(from) + ms).toISOString()

/**
 * Due times of an alert that was opened at a moment.
 * @param pausedMs milliseconds for which the alert was resolved before it was reopened: the timers stood still
 */
export function dueTimes(severity: Severity, openedAt: string, pausedMs = 0) {
  const limit = limits[severity]
  if (limit === null) return { ack_due: null, resolve_due: null }
  return {
    ack_due: laterBy(openedAt, limit.acknowledgeMs),
    resolve_due: laterBy(openedAt, limit.resolveMs + pausedMs),
  }
}

/** Timers that have run out by now and are not recorded yet, with the moment they ran out. */
export function breachesBy(alert: Clocked, now: string): readonly { readonly timer: SlaTimer; readonly at: string }[] {
  return pendingTimers(alert).filter(({ at }) => at <= now)
}

function pendingTimers(alert: Clocked): readonly { readonly timer: SlaTimer; readonly at: string }[] {
  const { status, acknowledged_at: acknowledged, ack_due: ack, resolve_due: resolve, breached } = alert
  if (status !== 'new' && status !== 'triaged' && status !== 'in_progress') return []
  return [
    ...(ack !== null && acknowledged === null && !breached.includes('acknowledge')
      ? [{ timer: 'acknowledge' as const, at: ack }]
      : []),
    ...(resolve !== null && !breached.includes('resolve') ? [{ timer: 'resolve' as const, at: resolve }] : []),
  ]
}

/** Moment at which time alone changes the alert: a timer runs out, it closes, or its suppression ends. Null for never. */
export function nextDue(alert: Clocked): string | null {
  if (alert.status === 'resolved' && alert.resolved_at !== null)
    return laterBy(alert.resolved_at, closesAfterDays * day)
  if (alert.status === 'suppressed') return alert.suppressed_until
  const times = pendingTimers(alert).map(({ at }) => at)
  return times.length === 0 ? null : times.reduce((earliest, at) => (at < earliest ? at : earliest))
}
