import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { refuseNegativeZero, refuseUnusable } from '../decay-config/usable.ts'
import { errors } from '../declared/errors.ts'
import type { Score } from '../declared/schemas.ts'
import { attribute, sideOf } from '../engine/explain/attribution.ts'
import { applyChanges, UnknownTarget } from '../engine/explain/changes.ts'
import { forecastDays } from '../engine/explain/forecast.ts'
import { toHundredths } from '../engine/fixed-point.ts'
import { type ComposedScore, composeScore, type ScoreInput } from '../engine/score.ts'
import { trend } from '../engine/trend.ts'
import { scoreView } from '../scores/current-score.ts'
import { pastScore } from '../scores/past-scores.ts'
import { lastRun, needStanding } from '../scores/standing.ts'
import type { Simulation, SimulationRequest } from './schemas.ts'

const msPerDay = 86_400_000

/**
 * The score as it would be with the changes, by the function that makes the real one, on a copy. Nothing is written.
 * @throws API-001, API-013, TRUST-001, TRUST-002, TRUST-004
 */
export async function simulateScore(tx: Tx, request: SimulationRequest, now: number): Promise<Simulation> {
  refuseNegativeZero(request.changes, '/changes')
  const input = lastRun(await needStanding(tx))
  const changed = changedInput(input, request, now)
  const before = composeScore(input)
  const after = composeScore(changed)
  const { signals, caps, configuration, difference } = attribute(
    sideOf(after, changed.config.prior),
    sideOf(before, input.config.prior),
    changed.config,
  )
  const shown = (score: ComposedScore, of: ScoreInput) => shownScore(tx, score, { of, recalculatedAt: input.at })
  return {
    at: changed.at,
    before: await shown(before, input),
    after: await shown(after, changed),
    delta: difference,
    contributions: signals.filter(({ phi }) => phi !== 0).sort((a, b) => Math.abs(b.phi) - Math.abs(a.phi)),
    caps: caps.filter(({ phi }) => phi !== 0),
    configuration,
  }
}

function changedInput(input: ScoreInput, { changes, at }: SimulationRequest, now: number): ScoreInput {
  try {
    const changed = applyChanges(input, changes, momentOf(at, input.at, now))
    refuseUnusable(changed.config)
    return changed
  } catch (error) {
    if (error instanceof UnknownTarget) throw errors.unknownTarget({ what: error.message })
    throw error
  }
}

/** Time is moved forward only: evidence that was collected later cannot be taken back from an earlier moment. */
function momentOf(at: string | undefined, lastRunAt: string, now: number): string {
  if (at === undefined) return lastRunAt
  const moment = Date.parse(at)
  if (moment >= Date.parse(lastRunAt) && moment <= now + forecastDays * msPerDay) return new Date(moment).toISOString()
  const detail = `A moment from the last run (${lastRunAt}) to ${forecastDays} days from now.`
  throw apiErrors.validation({ what: 'The body was refused.' }).at([{ detail, pointer: '/at' }])
}

interface Shown {
  readonly of: ScoreInput
  readonly recalculatedAt: string
}

async function shownScore(tx: Tx, score: ComposedScore, { of, recalculatedAt }: Shown): Promise<Score> {
  const past = await pastScore(tx, { at: of.at, windowHours: of.config.trend_window_hours })
  return scoreView(tx.tenantId, {
    score,
    trend: trend(toHundredths(score.composite_score), past?.composite ?? null),
    recalculatedAt,
    decayModel: of.config.decay_model,
  })
}
