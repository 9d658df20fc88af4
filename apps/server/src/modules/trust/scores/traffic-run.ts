/**
 * Runs for completed model calls, of which a busy tenant has hundreds a second: at most one a minute, unless a term of the
 * gateway has moved by half a point. Whether one can have moved is arithmetic (`engine/traffic.ts`), so that most calls
 * cost one update of a number; only then the evidence is looked at, and only if it has moved it is scored.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { TrustParts } from '../declared/parts.ts'
import { callsUntilMove, gatewayMoved } from '../engine/traffic.ts'
import { collectEvidence } from './collect-evidence.ts'
import { recalculate } from './recalculation.ts'
import { type RunPayload, requestRun } from './run-request.ts'
import { findStanding } from './standing.ts'

/** Milliseconds between looks: as many as there may be between runs. */
const lookMs = 2_000

/** Milliseconds between runs for calls that moved nothing much. */
const spacingMs = 60_000

const key = 'traffic'

export interface Calls {
  readonly count: number
  readonly payload: RunPayload
  /** Unix milliseconds. */
  readonly now: number
}

/** Counts completed calls and asks for a look as soon as so many can have moved a term, else for a run within the minute. */
export async function noteCalls(tx: Tx, { count, payload, now }: Calls): Promise<void> {
  const state = await tx.first(sql<{ due: boolean; last_recalculated_at: string }>`
    update trust_state set calls_since = calls_since + ${count}
    returning calls_since >= calls_until_look as due, last_recalculated_at`)
  const due = state === null || state.due
  const runAt = due ? now + lookMs : Math.max(now + lookMs, Date.parse(state.last_recalculated_at) + spacingMs)
  await requestRun(tx, { key, payload: { ...payload, calls: true }, runAt })
}

/** Scores when the minute is over or a term has moved, and notes else how many calls make another look worth it. */
export async function runForTraffic(parts: TrustParts, tx: Tx, payload: RunPayload): Promise<void> {
  const cause = {
    trigger: 'event',
    eventId: typeof payload.event_id === 'string' ? payload.event_id : null,
  } as const
  const standing = await findStanding(tx)
  const minuteOver = standing === null ? 0 : Date.parse(standing.state.last_recalculated_at) + spacingMs
  if (standing === null || parts.clock.now() >= minuteOver) {
    await recalculate(parts, tx, cause)
    return
  }
  const at = parts.clock.iso()
  const { signals } = await collectEvidence(parts, tx, at)
  const terms = { before: standing.state.evidence.signals, now: signals, config: standing.config, at }
  if (gatewayMoved(terms)) {
    await recalculate(parts, tx, cause)
    return
  }
  await tx.execute(sql`update trust_state set calls_since = 0, calls_until_look = ${callsUntilMove(terms)}`)
  await requestRun(tx, { key, payload, runAt: minuteOver })
}
