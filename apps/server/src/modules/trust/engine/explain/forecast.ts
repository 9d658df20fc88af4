import { compositeOf, type EffectiveValues } from '../composite.ts'
import type { DecayConfig } from '../config.ts'
import { type Hundredths, toHundredths, toPoints } from '../fixed-point.ts'
import { type Grade, gradeOf } from '../grade.ts'
import { daysBetween, instant } from '../instant.ts'
import { keyed } from '../keyed.ts'
import type { ComposedScore } from '../score.ts'
import { agingOf, curveFor, effectiveValue, freshnessOf } from '../signal-score.ts'
import { SIGNAL_IDS, type SignalId } from '../signals.ts'

const msPerMinute = 60_000
const minutesPerDay = 1_440

/** Days that a forecast looks ahead. */
export const forecastDays = 400

export interface ForecastPoint {
  /** The first whole minute at which the grade holds. */
  readonly at: string
  readonly composite_score: number
  readonly grade: Grade
}

export interface ForecastInput {
  /** The moment of the score, RFC 3339. */
  readonly at: string
  readonly score: Pick<ComposedScore, 'signals' | 'caps'>
  readonly config: DecayConfig
}

export interface ForecastLimits {
  /** Minutes to look ahead. */
  readonly minutes: number
  /** Changes to find at most. */
  readonly most: number
}

const wholeForecast: ForecastLimits = { minutes: forecastDays * minutesPerDay, most: 20 }

/**
 * The next changes of the grade if no new evidence arrives, to the minute. Each signal's path is known and monotone, so
 * the composites of all signals at their lower and at their higher end bound the composite between two moments. A stretch
 * whose bounds have one grade is done; any other is halved, down to the minute. Where stale bad evidence is held the
 * composite only falls and both ends of a stretch are its bounds: plain bisection. Where it decays, bad evidence rises
 * while good evidence falls; a grade that changes and returns within one day may then be passed over.
 */
export function forecastGrades(input: ForecastInput, limits: Partial<ForecastLimits> = {}): readonly ForecastPoint[] {
  const { minutes, most } = { ...wholeForecast, ...limits }
  const now = Math.floor(instant(input.at) / msPerMinute)
  const moments = momentsOf(input)
  const found: Moment[] = []
  search(moments.at(now), moments.at(now + minutes), { ...moments, found, most })
  return found.map(({ minute, composite }) => ({
    at: new Date(minute * msPerMinute).toISOString(),
    composite_score: toPoints(composite),
    grade: gradeOf(composite),
  }))
}

interface Moment {
  readonly minute: number
  readonly values: EffectiveValues
  readonly composite: Hundredths
}

interface Moments {
  readonly at: (minute: number) => Moment
  readonly composite: (values: EffectiveValues) => Hundredths
}

function momentsOf({ at, score, config }: ForecastInput): Moments {
  const paths = pathsOf(score, config)
  const start = instant(at)
  const composite = (values: EffectiveValues) => compositeOf(values, { config, caps: score.caps })
  return {
    composite,
    at: (minute) => {
      const moment = Math.max(start, minute * msPerMinute)
      const values = keyed(SIGNAL_IDS, (id) => paths[id](moment))
      return { minute, values, composite: composite(values) }
    },
  }
}

type Path = (moment: number) => Hundredths

/** The value of a signal stays as it was measured; only its age grows. */
function pathsOf({ signals }: ForecastInput['score'], config: DecayConfig): Readonly<Record<SignalId, Path>> {
  const aging = agingOf(config)
  const scored = new Map(signals.map((signal) => [signal.id, signal]))
  return keyed(SIGNAL_IDS, (id): Path => {
    const { value = null, observed_at: observed = null } = scored.get(id) ?? {}
    const measured = value === null ? null : toHundredths(value)
    const curve = curveFor(id, config)
    const since = observed === null ? null : instant(observed)
    return (moment) => {
      const ageDays = since === null ? null : daysBetween(since, moment)
      return effectiveValue(measured, freshnessOf(measured, ageDays, curve), aging)
    }
  })
}

interface Search extends Moments {
  readonly found: Moment[]
  readonly most: number
}

function search(from: Moment, to: Moment, task: Search): void {
  if (task.found.length >= task.most || from.minute === to.minute) return
  const same = gradeOf(from.composite) === gradeOf(to.composite)
  const minutes = to.minute - from.minute
  if (same && (minutes <= minutesPerDay || oneGrade(from, to, task))) return
  if (minutes === 1) {
    task.found.push(to)
    return
  }
  const middle = task.at(from.minute + Math.floor(minutes / 2))
  search(from, middle, task)
  search(middle, to, task)
}

/** Whether the composite can have no second grade between two moments of the same grade. */
function oneGrade(from: Moment, to: Moment, { composite }: Moments): boolean {
  const end = (choose: (a: number, b: number) => number) =>
    gradeOf(composite(keyed(SIGNAL_IDS, (id) => choose(from.values[id], to.values[id]))))
  return end(Math.min) === end(Math.max)
}
