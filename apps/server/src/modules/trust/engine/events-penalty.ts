import { FULL_SCORE, type Hundredths, ONE_MILLION, toMillionths } from './fixed-point.ts'
import { halvings } from './halving.ts'
import { daysBetween, instant } from './instant.ts'

/** Penalty of an open event, in penalty units. */
export const SEVERITY_PENALTY = { critical: 10, high: 5, medium: 2, low: 0.5 } as const

export type Severity = keyof typeof SEVERITY_PENALTY

/** Penalty units that halve the value of an event signal. */
const HALVING_PENALTY = 20

export interface SignalEvent {
  readonly id?: string
  readonly severity: Severity
  readonly at: string
  readonly closed_at?: string | null
}

/** Key of an event within its signal: its id, or its time and severity where its source gives none. */
export function eventKey({ id, at, severity }: Pick<SignalEvent, 'id' | 'at' | 'severity'>): string {
  return id ?? `${at} ${severity}`
}

/** A stretch in which the source of the events did not watch. */
export interface Pause {
  readonly from: string
  readonly to: string
}

export interface Watch {
  /** Last watched moment; `null` = never watched, and then no event ages. */
  readonly until: number | null
  readonly pauses: readonly Pause[]
  readonly halfLifeDays: number
}

/**
 * Value of an event signal in hundredths: `100 * 2^(-P/20)`, `P = sum of s * 2^(-age/H)`.
 *
 * An open event has age 0. A closed one ages from its closing to the last watched moment, less the pauses between:
 * switching the detectors off does not heal. Each term is rounded to a millionth before it is added, so the sum is
 * one of integers and the order of the events cannot change it.
 */
export function eventScore(events: readonly SignalEvent[], watch: Watch): Hundredths {
  const pauses = disjoint(watch.pauses)
  let penalty = 0
  for (const event of events) penalty += penaltyOf(event, watch, pauses)
  return Math.floor(FULL_SCORE * halvings(penalty / ONE_MILLION / HALVING_PENALTY) + 0.5)
}

type Stretch = readonly [from: number, to: number]

function penaltyOf(event: SignalEvent, watch: Watch, pauses: readonly Stretch[]): number {
  const full = SEVERITY_PENALTY[event.severity]
  if (event.closed_at === undefined || event.closed_at === null || watch.until === null) return full * ONE_MILLION
  const age = watchedDays(instant(event.closed_at), watch.until, pauses)
  return toMillionths(full * halvings(age / watch.halfLifeDays))
}

function watchedDays(from: number, to: number, pauses: readonly Stretch[]): number {
  let unwatched = 0
  for (const [start, end] of pauses) unwatched += Math.max(0, Math.min(end, to) - Math.max(start, from))
  return daysBetween(from, to - unwatched)
}

/** Pauses as stretches that do not overlap, so that no moment is taken off twice. */
function disjoint(pauses: readonly Pause[]): readonly Stretch[] {
  const stretches: Stretch[] = pauses.map(({ from, to }) => [instant(from), instant(to)])
  let end = Number.NEGATIVE_INFINITY
  return stretches
    .sort((a, b) => a[0] - b[0])
    .map(([from, to]) => {
      const start = Math.max(from, end)
      end = Math.max(end, to)
      return [start, end]
    })
}
