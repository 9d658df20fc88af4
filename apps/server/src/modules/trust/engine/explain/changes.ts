import { applyMergePatch, type MergePatchOf } from '../../../../kernel/http/body/merge-patch.ts'
import { isCapId } from '../caps.ts'
import { DecayConfig } from '../config.ts'
import { completeConfig } from '../config-defaults.ts'
import { eventKey, type SignalEvent } from '../events-penalty.ts'
import type { SignalInput } from '../evidence.ts'
import type { ScoreInput } from '../score.ts'
import { isSignalId, PILLAR_NAMES, SIGNALS, type SignalId } from '../signals.ts'

/** A patch of a configuration; a member that is null goes back to its default. */
export type ConfigPatch = MergePatchOf<Omit<DecayConfig, 'version'>>

/** One step of a what-if. */
export type Change =
  | { readonly signal: string; readonly value: number }
  | { readonly signal: string; readonly refresh: true }
  | { readonly close_event: string }
  | { readonly cap: string; readonly value: boolean }
  /** Weights by the names of pillars and signals; weights not named stay. */
  | { readonly weights: Readonly<Record<string, number>> }
  | { readonly decay: ConfigPatch }

/** A change that names an unknown signal, event or cap. */
export class UnknownTarget extends RangeError {}

/**
 * The input of a score at a moment (RFC 3339; default its own) with the changes made to a copy, in their order. Signals are
 * measured at that moment; events are closed at the input's own, so that they age until then where their signal is
 * refreshed. Whether the configuration can be used is left to `configProblems`, because a sum of weights is only complete
 * at the end. @throws UnknownTarget
 */
export function applyChanges(input: ScoreInput, changes: readonly Change[], at = input.at): ScoreInput {
  return { ...changes.reduce((changed, change) => applied(changed, change, at), input), at }
}

function applied(input: ScoreInput, change: Change, at: string): ScoreInput {
  if ('weights' in change) return { ...input, config: withWeights(input.config, change.weights) }
  if ('decay' in change) return { ...input, config: patchedConfig(input.config, change.decay) }
  if ('close_event' in change) return { ...input, signals: closed(input.signals, change.close_event, input.at) }
  if ('cap' in change) {
    if (!isCapId(change.cap)) throw new UnknownTarget(`There is no cap "${change.cap}".`)
    const others = input.caps.filter(({ id }) => id !== change.cap)
    return { ...input, caps: [...others, { id: change.cap, active: change.value }] }
  }
  return { ...input, signals: changedSignal(input.signals, change, at) }
}

function changedSignal(
  signals: readonly SignalInput[],
  change: Extract<Change, { readonly signal: string }>,
  at: string,
): readonly SignalInput[] {
  const id = change.signal
  if (!isSignalId(id)) throw new UnknownTarget(`There is no signal "${id}".`)
  const known = signals.find((signal) => signal.id === id)
  const others = signals.filter((signal) => signal.id !== id)
  if ('value' in change) return [...others, measured(id, change.value, at)]
  return known === undefined ? signals : [...others, { ...known, observed_at: at }]
}

function measured(id: SignalId, value: number, at: string): SignalInput {
  if (SIGNALS[id].class === 'state') return { id, value, observed_at: at }
  throw new UnknownTarget(`"${id}" has no value of its own: it is made of events. Close one with \`close_event\`.`)
}

function closed(signals: readonly SignalInput[], key: string, at: string): readonly SignalInput[] {
  const isMeant = (event: SignalEvent) => eventKey(event) === key && !event.closed_at
  if (!signals.some(({ events }) => events?.some(isMeant))) throw new UnknownTarget(`There is no open event "${key}".`)
  return signals.map((signal) => {
    const { events } = signal
    if (events === undefined) return signal
    return { ...signal, events: events.map((event) => (isMeant(event) ? { ...event, closed_at: at } : event)) }
  })
}

function withWeights(config: DecayConfig, weights: Readonly<Record<string, number>>): DecayConfig {
  const changed = structuredClone(config)
  for (const [name, weight] of Object.entries(weights)) {
    const pillar = PILLAR_NAMES.find((known) => known === name)
    if (pillar !== undefined) changed.pillars[pillar].weight = weight
    else if (isSignalId(name)) changed.signals[name].weight = weight
    else throw new UnknownTarget(`There is no pillar and no signal "${name}".`)
  }
  return changed
}

/** The configuration with a patch laid over it. */
export function patchedConfig(config: DecayConfig, patch: ConfigPatch): DecayConfig {
  return completeConfig(applyMergePatch(DecayConfig, config, patch))
}
