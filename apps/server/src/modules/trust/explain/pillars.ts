import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { eventKey, type SignalEvent } from '../engine/events-penalty.ts'
import type { SignalInput } from '../engine/evidence.ts'
import { forecastDays } from '../engine/explain/forecast.ts'
import { toHundredths } from '../engine/fixed-point.ts'
import { composeScore, type PillarScore, type ScoreInput, type SignalScore } from '../engine/score.ts'
import { curveFor } from '../engine/signal-score.ts'
import { PILLAR_NAMES, SIGNALS } from '../engine/signals.ts'
import { trend } from '../engine/trend.ts'
import { type PastPillars, pastScore } from '../scores/past-scores.ts'
import { pillarOf } from '../scores/snapshots.ts'
import { lastRun, needStanding } from '../scores/standing.ts'
import type { PillarDetail, PillarSummary } from './schemas.ts'

const msPerDay = 86_400_000

/** Events of a signal that are shown. */
const mostEvents = 100

/** The five pillars as the last run left them. @throws API-013 before the tenant's first score */
export async function listPillars(tx: Tx): Promise<PillarSummary[]> {
  const input = lastRun(await needStanding(tx))
  const past = await pastOf(tx, input)
  return composeScore(input).pillars.map((pillar) => summary(pillar, past))
}

export interface PillarRequest {
  /** The name of one. */
  readonly pillar: string
  /** ISO time; default the last run. */
  readonly at?: string
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * A pillar with its signals: at a moment that is past with the evidence of then, at one to come with that of the last run,
 * aged. @throws API-001, API-013
 */
export async function readPillarDetail(tx: Tx, { pillar: name, at, now }: PillarRequest): Promise<PillarDetail> {
  const input = await inputAt(tx, at, now)
  const pillar = PILLAR_NAMES.find((known) => known === name)
  if (pillar === undefined) throw apiErrors.notFound({ what: 'pillar' })
  const score = composeScore(input)
  const delivered = new Map(input.signals.map((signal) => [signal.id, signal]))
  return {
    ...summary(pillarOf(score, pillar), await pastOf(tx, input)),
    at: input.at,
    signals: score.signals
      .filter((signal) => signal.pillar === pillar)
      .map((signal) => signalDetail(signal, delivered.get(signal.id), input)),
  }
}

async function inputAt(tx: Tx, at: string | undefined, now: number): Promise<ScoreInput> {
  const last = lastRun(await needStanding(tx))
  if (at === undefined) return last
  const moment = Date.parse(at)
  if (moment > now + forecastDays * msPerDay) {
    const detail = `A moment up to ${forecastDays} days from now.`
    throw apiErrors.validation({ what: 'The query was refused.' }).at([{ detail, pointer: '?at' }])
  }
  const iso = new Date(moment).toISOString()
  if (moment >= Date.parse(last.at)) return { ...last, at: iso }
  const before = await tx.first(sql<{ inputs: ScoreInput }>`
    select inputs from trust_snapshot where created_at <= ${iso} order by created_at desc, id desc limit 1`)
  if (before === null) throw apiErrors.notFound({ what: 'trust score at that time' })
  return { ...before.inputs, at: iso }
}

function pastOf(tx: Tx, { at, config }: ScoreInput): Promise<PastPillars | null> {
  return pastScore(tx, { at, windowHours: config.trend_window_hours })
}

function summary(pillar: PillarScore, past: PastPillars | null): PillarSummary {
  return { ...pillar, trend: trend(toHundredths(pillar.score), past?.[pillar.pillar] ?? null) }
}

function signalDetail(
  score: SignalScore,
  delivered: SignalInput | undefined,
  { config }: ScoreInput,
): PillarDetail['signals'][number] {
  const { source, formula } = SIGNALS[score.id]
  const { model, halfLifeDays } = curveFor(score.id, config)
  const events = delivered?.events ?? null
  return {
    ...score,
    source,
    formula,
    good: delivered?.good ?? null,
    decay_model: model,
    half_life_days: halfLifeDays,
    reason: config.signals[score.id].reason ?? null,
    open_events: events === null ? null : events.filter(isOpen).length,
    events: events === null ? null : shownEvents(events),
  }
}

const isOpen = ({ closed_at }: SignalEvent): boolean => !closed_at

function shownEvents(events: readonly SignalEvent[]) {
  return events
    .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, mostEvents)
    .map((event) => ({
      id: eventKey(event),
      severity: event.severity,
      at: event.at,
      closed_at: event.closed_at ?? null,
    }))
}
