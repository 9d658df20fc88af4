import type { Tx } from '../../../kernel/db/port.ts'
import { trustSnapshots } from '../declared/tables.ts'
import { type CapLift, capLifts, missingEvidence, nextActions } from '../engine/explain/actions.ts'
import { type Attribution, attribute, priorSide, type Side, sideOf } from '../engine/explain/attribution.ts'
import { forecastGrades } from '../engine/explain/forecast.ts'
import { toHundredths, toPoints } from '../engine/fixed-point.ts'
import { type ComposedScore, composeScore, type ScoreInput } from '../engine/score.ts'
import { SIGNALS } from '../engine/signals.ts'
import { lastRun, needStanding } from '../scores/standing.ts'
import type { Explanation } from './schemas.ts'

export interface ExplainRequest {
  /** `prior`, or the id of a snapshot. */
  readonly baseline: string
  /** Contributions to name. */
  readonly top: number
}

/** Explains the score, and the changes that would alter it. @throws API-013 */
export async function explainScore(tx: Tx, { baseline, top }: ExplainRequest): Promise<Explanation> {
  const input = lastRun(await needStanding(tx))
  const score = composeScore(input)
  const side = sideOf(score, input.config.prior)
  const from = await baselineSide(tx, baseline, input)
  const attribution = attribute(side, from, input.config)
  const ranked = attribution.signals.toSorted((a, b) => Math.abs(b.phi) - Math.abs(a.phi))
  return {
    composite_score: score.composite_score,
    grade: score.grade,
    baseline: {
      kind: baseline === 'prior' ? 'prior' : 'snapshot',
      snapshot_id: baseline === 'prior' ? null : baseline,
      composite_score: toPoints(from.composite),
    },
    contributions: ranked.slice(0, top),
    others: sumOf(ranked.slice(top)),
    configuration: attribution.configuration,
    caps: shownCaps(score, attribution, { lifts: capLifts(side, input.config), baseline: from }),
    missing: missingEvidence(score, side, input.config).map((missing) => ({
      ...missing,
      formula: SIGNALS[missing.signal].formula,
    })),
    confidence: score.confidence,
    provisional: score.provisional,
    interval: score.interval,
    forecast: [...forecastGrades({ at: input.at, score, config: input.config })],
    actions: [...nextActions(input, side)],
    sum_check: sumCheck(attribution),
  }
}

async function baselineSide(tx: Tx, baseline: string, { config }: ScoreInput): Promise<Side> {
  if (baseline === 'prior') return priorSide(config)
  const { result, inputs } = await trustSnapshots.need(tx, baseline)
  return sideOf(result, inputs.config.prior)
}

interface CapFacts {
  readonly lifts: readonly CapLift[]
  readonly baseline: Side
}

/** Caps that are in force on either side; those of neither say nothing. */
function shownCaps(score: ComposedScore, { caps }: Attribution, { lifts, baseline }: CapFacts): Explanation['caps'] {
  return score.caps
    .filter(({ id, active }) => active || baseline.active.has(id))
    .map(({ id, pillar, limit, active, applied }) => ({
      cap: id,
      pillar,
      phi: caps.find(({ cap }) => cap === id)?.phi ?? 0,
      limit,
      active,
      applied,
      lift_gain: lifts.find(({ cap }) => cap === id)?.lift_gain ?? 0,
    }))
}

/** In hundredths, as the contributions are. */
function sumOf(parts: readonly { readonly phi: number }[]): number {
  return toPoints(parts.reduce((sum, { phi }) => sum + hundredthsOf(phi), 0))
}

function sumCheck({ signals, caps, configuration, difference }: Attribution): Explanation['sum_check'] {
  const contributions = sumOf(signals)
  const ofCaps = sumOf(caps)
  const total = hundredthsOf(contributions) + hundredthsOf(ofCaps) + hundredthsOf(configuration)
  return {
    contributions,
    caps: ofCaps,
    configuration,
    total: toPoints(total),
    difference,
    equal: total === hundredthsOf(difference),
  }
}

/** Hundredths of points that may be negative. */
function hundredthsOf(points: number): number {
  return Math.sign(points) * toHundredths(Math.abs(points))
}
