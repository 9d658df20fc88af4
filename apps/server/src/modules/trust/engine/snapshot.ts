import { canonicalText } from './canonical.ts'
import type { SignalEvent } from './events-penalty.ts'
import type { SignalInput } from './evidence.ts'
import { type ComposedScore, composeScore, type ScoreInput } from './score.ts'

/** The algorithm new snapshots are made with. */
export const ALGORITHM = 'trust-1'

/** Every algorithm a stored snapshot may name. An old one is never changed and never removed. */
const ALGORITHMS: Readonly<Record<string, (input: ScoreInput) => ComposedScore>> = { 'trust-1': composeScore }

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export type Sha256 = (text: string) => string

export interface Snapshot {
  readonly algorithm: string
  readonly config_version: number
  /** Everything the score was made from: with the algorithm's code, all that anyone needs to make it again. */
  readonly inputs: ScoreInput
  /** SHA-256 of the RFC 8785 canonical JSON of `{ algorithm, inputs }`. */
  readonly inputs_sha256: string
  readonly result: ComposedScore
}

export interface Verification {
  readonly recomputed: ComposedScore
  /** Hash of the stored inputs as they are now. */
  readonly inputs_sha256: string
  /** True when the inputs still have the stored hash and give the stored result. */
  readonly equal: boolean
}

/** Scores the input and keeps both, with the input in an order that does not depend on how it was delivered. */
export function takeSnapshot(input: ScoreInput, sha256: Sha256): Snapshot {
  const inputs = inOrder(input)
  return {
    algorithm: ALGORITHM,
    config_version: inputs.config.version,
    inputs,
    inputs_sha256: sha256(canonicalText({ algorithm: ALGORITHM, inputs })),
    result: composeScore(inputs),
  }
}

/** Recomputes a stored snapshot with the algorithm it names; one this code does not know is a `RangeError`. */
export function verifySnapshot(snapshot: Snapshot, sha256: Sha256): Verification {
  const { algorithm, inputs } = snapshot
  const compose = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined
  if (compose === undefined) throw new RangeError(`"${algorithm}" is not a known algorithm.`)
  const recomputed = compose(inputs)
  const inputs_sha256 = sha256(canonicalText({ algorithm, inputs }))
  const sameInputs = inputs_sha256 === snapshot.inputs_sha256 && snapshot.config_version === inputs.config.version
  return { recomputed, inputs_sha256, equal: sameInputs && sameJson(recomputed, snapshot.result) }
}

function sameJson(a: object, b: object): boolean {
  return canonicalText(a) === canonicalText(b)
}

function inOrder(input: ScoreInput): ScoreInput {
  return {
    at: input.at,
    config: input.config,
    signals: input.signals.map(signalInOrder).sort((a, b) => compare(a.id, b.id)),
    caps: input.caps.map(({ id, active }) => ({ id, active })).sort((a, b) => compare(a.id, b.id)),
  }
}

function signalInOrder(signal: SignalInput): SignalInput {
  const { id, observed_at, value, good, n, events, pauses, source_ref } = signal
  return {
    id,
    observed_at,
    ...(value === undefined ? {} : { value }),
    ...(good === undefined ? {} : { good }),
    ...(n === undefined ? {} : { n }),
    ...(events === undefined ? {} : { events: events.map(knownFields).sort(compareEvents) }),
    ...(pauses === undefined ? {} : { pauses: pauses.map(({ from, to }) => ({ from, to })).sort(comparePauses) }),
    ...(source_ref === undefined ? {} : { source_ref }),
  }
}

/** One literal for each form, its members by name: thousands of spreads would hold the event loop. */
function knownFields({ id, severity, at, closed_at }: SignalEvent): SignalEvent {
  if (closed_at) return id === undefined ? { at, closed_at, severity } : { at, closed_at, id, severity }
  return id === undefined ? { at, severity } : { at, id, severity }
}

function compareEvents(a: SignalEvent, b: SignalEvent): number {
  return (
    compare(a.at, b.at) ||
    compare(a.id ?? '', b.id ?? '') ||
    compare(a.severity, b.severity) ||
    compare(a.closed_at ?? '', b.closed_at ?? '')
  )
}

function comparePauses(a: { from: string; to: string }, b: { from: string; to: string }): number {
  return compare(a.from, b.from) || compare(a.to, b.to)
}

/** By code unit: a comparison by language would depend on the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
