import { type CapInput, isCapId } from './caps.ts'
import { type Pause, SEVERITY_PENALTY, type SignalEvent } from './events-penalty.ts'
import { instant } from './instant.ts'
import { isSignalId, SIGNALS } from './signals.ts'

/**
 * Evidence for one signal as its module delivers it: for a state signal either a proportion (`good` of `n`, which
 * gets the small-sample formula) or a finished `value` 0..100 with its sample size; for an event signal the events.
 * A higher value, and a higher `good`, is always better.
 */
export interface SignalInput {
  readonly id: string
  /** When the state was measured, or the last moment the events were watched for; `null` = never. */
  readonly observed_at: string | null
  readonly value?: number | null
  readonly good?: number | null
  readonly n?: number | null
  readonly events?: readonly SignalEvent[]
  /** Event signals only: when the source was not watching. */
  readonly pauses?: readonly Pause[]
  /** Where a person finds the evidence. */
  readonly source_ref?: string | null
}

export interface Evidence {
  readonly signals: readonly SignalInput[]
  readonly caps: readonly CapInput[]
}

/** Throws a `RangeError` that names the first signal or cap that could not be scored as delivered. */
export function assertScorable(evidence: Evidence): void {
  const seen = new Set<string>()
  for (const { id } of [...evidence.signals, ...evidence.caps]) {
    if (seen.has(id)) throw new RangeError(`"${id}" was delivered twice.`)
    seen.add(id)
  }
  for (const signal of evidence.signals) {
    const fault = faultOf(signal)
    if (fault !== null) throw new RangeError(`Signal "${signal.id}": ${fault}`)
  }
  const unknown = evidence.caps.find((cap) => !isCapId(cap.id))
  if (unknown !== undefined) throw new RangeError(`"${unknown.id}" is not a known cap.`)
}

/** True when a signal was really measured or watched; a sample of nothing is no evidence. */
export function hasEvidence(signal: SignalInput): boolean {
  if (signal.events !== undefined) return signal.observed_at !== null || signal.events.length > 0
  return signal.n !== 0 && (typeof signal.good === 'number' || typeof signal.value === 'number')
}

function faultOf(signal: SignalInput): string | null {
  if (!isSignalId(signal.id)) return 'not a known signal.'
  if (signal.observed_at !== null) instant(signal.observed_at)
  return SIGNALS[signal.id].class === 'event' ? eventFault(signal) : stateFault(signal)
}

function stateFault({ value = null, good = null, n = null, events, pauses }: SignalInput): string | null {
  if (events !== undefined || pauses !== undefined) return 'a state signal has no events and no pauses.'
  if (n !== null && !(Number.isFinite(n) && n >= 0)) return 'n is a number of 0 or more.'
  if (value !== null && !(value >= 0 && value <= 100)) return 'a value is a number from 0 to 100.'
  if (good === null) return null
  if (value !== null) return 'either good of n or a value, not both.'
  return n !== null && good >= 0 && good <= n ? null : 'good is a number from 0 to n.'
}

function eventFault({ observed_at, value = null, good = null, events, pauses = [] }: SignalInput): string | null {
  if (value !== null || good !== null) return 'an event signal is delivered as events, not as a value.'
  // Silence from a source that did watch must be said as an empty list: forgetting the list would score 100.
  if (events === undefined && observed_at !== null) return 'a watched event signal lists its events, if only none.'
  const unknown = events?.find((event) => !Object.hasOwn(SEVERITY_PENALTY, event.severity))
  if (unknown !== undefined) return `"${unknown.severity}" is not a severity.`
  const backward = pauses.some((pause) => instant(pause.to) < instant(pause.from))
  return backward ? 'a pause ends after it begins.' : null
}
