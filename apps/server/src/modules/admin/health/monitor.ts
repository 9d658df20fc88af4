/**
 * Runs checks with a limit of time and remembers how each stands. A check changes for the worse after three findings in
 * a row and for the better after two, so that one slow answer changes nothing and nothing flaps. The first finding counts
 * at once, but a failure as a warning: a process that has just started is slow. Promises that a check that hangs takes no other with it. Tested in monitor.test.ts.
 */

import type { Clock } from '../../../kernel/base/clock.ts'
import type { Finding, HealthCheck } from '../../../kernel/health/checks.ts'
import type { CheckState } from '../services/health-service.ts'

type Status = Finding['status']

export interface StatusChange {
  readonly check: string
  readonly from: Status
  readonly to: Status
}

interface Held extends CheckState {
  /** Findings in a row that differ from the status in the same direction. */
  readonly streak: number
}

export interface Monitor {
  /** Runs those whose last run is older than this, and answers all. */
  look(maxAgeMs: number): Promise<Readonly<Record<string, CheckState>>>
}

const worseAfter = 3
const betterAfter = 2
const defaultTimeoutMs = 2000
const rank: Readonly<Record<Status, number>> = { pass: 0, warn: 1, fail: 2 }

export interface MonitorParts {
  readonly clock: Clock
  readonly checks: () => readonly HealthCheck[]
  readonly changed: (change: StatusChange) => void
}

export function createMonitor({ clock, checks, changed }: MonitorParts): Monitor {
  const held = new Map<string, Held>()
  const running = new Map<string, Promise<void>>()
  const run = async (check: HealthCheck): Promise<void> => {
    const result = await runCheck(clock, check)
    const before = held.get(check.name)
    const after = next(before, result)
    held.set(check.name, after)
    if (before !== undefined && before.status !== after.status)
      changed({ check: check.name, from: before.status, to: after.status })
  }
  const begin = (check: HealthCheck): Promise<void> => {
    const started = run(check).finally(() => running.delete(check.name))
    running.set(check.name, started)
    return started
  }
  const isOld = ({ name, everyMs = 0 }: HealthCheck, maxAgeMs: number): boolean => {
    const known = held.get(name)
    if (known === undefined) return true
    const settled = known.status === 'pass' && known.last_status === 'pass'
    return clock.now() - Date.parse(known.checked_at) >= Math.max(maxAgeMs, settled ? everyMs : 0)
  }
  return {
    look: async (maxAgeMs) => {
      const due = checks().filter((check) => isOld(check, maxAgeMs))
      await Promise.all(due.map((check) => running.get(check.name) ?? begin(check)))
      return Object.fromEntries([...held].map(([name, { streak: _streak, ...state }]) => [name, state]))
    },
  }
}

export interface CheckResult {
  readonly finding: Finding
  readonly latencyMs: number
  readonly errorClass: string | null
  readonly at: string
}

/** One run; exceptions and timeouts are findings too. */
export async function runCheck(clock: Clock, check: HealthCheck): Promise<CheckResult> {
  const startedMs = clock.monotonic()
  const done = (finding: Finding, errorClass: string | null): CheckResult => ({
    finding,
    errorClass,
    latencyMs: Math.round((clock.monotonic() - startedMs) * 100) / 100,
    at: clock.iso(),
  })
  try {
    return done(await inTime(clock, check), null)
  } catch (error) {
    return done({ status: 'fail' }, error instanceof Error ? error.name : 'Unknown')
  }
}

class Timeout extends Error {
  override readonly name = 'Timeout'
}

function inTime(clock: Clock, check: HealthCheck): Promise<Finding> {
  const abort = new AbortController()
  return new Promise<Finding>((resolve, reject) => {
    const timer = clock.after(check.timeoutMs ?? defaultTimeoutMs, () => {
      abort.abort()
      reject(new Timeout())
    })
    check
      .run(abort.signal)
      .then(resolve, reject)
      .finally(() => timer.stop())
  })
}

function next(before: Held | undefined, { finding, latencyMs, errorClass, at }: CheckResult): Held {
  const found = finding.status
  const seen = {
    latency_ms: latencyMs,
    checked_at: at,
    last_status: found,
    error_class: errorClass ?? (found === 'pass' ? null : (before?.error_class ?? null)),
    observed: finding.observed ?? {},
  }
  if (before === undefined)
    return { ...seen, status: found === 'fail' ? 'warn' : found, since: at, streak: found === 'fail' ? 1 : 0 }
  if (found === before.status) return { ...seen, status: found, since: before.since, streak: 0 }
  const worse = rank[found] > rank[before.status]
  const sameWay = before.streak === 0 || worse === rank[before.last_status] > rank[before.status]
  const streak = sameWay ? before.streak + 1 : 1
  return streak >= (worse ? worseAfter : betterAfter)
    ? { ...seen, status: found, since: at, streak: 0 }
    : { ...seen, status: before.status, since: before.since, streak }
}
