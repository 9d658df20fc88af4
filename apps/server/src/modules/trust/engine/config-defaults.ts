import { CAP_IDS, CAPS, type CapId } from './caps.ts'
import type { DecayConfig } from './config.ts'
import { WHOLE } from './fixed-point.ts'
import { keyed } from './keyed.ts'
import { PILLAR_NAMES, PILLARS, type PillarName, SIGNAL_IDS, SIGNALS, type SignalId } from './signals.ts'

/** The configuration a tenant starts with: version 1, the weights, half-lives and limits of the catalogues. */
export const DEFAULT_DECAY_CONFIG: DecayConfig = {
  version: 1,
  decay_model: 'exponential',
  pillars: keyed(PILLAR_NAMES, pillarDefaults),
  signals: keyed(SIGNAL_IDS, signalDefaults),
  prior: 50,
  stale_bad_evidence: 'hold',
  caps: keyed(CAP_IDS, (id: CapId) => CAPS[id].limit),
  trend_window_hours: 168,
  notify: { min_change: 1, grade_hysteresis: 0.5 },
}

function pillarDefaults(name: PillarName) {
  return { weight: PILLARS[name].weight / WHOLE, half_life_days: PILLARS[name].halfLifeDays }
}

function signalDefaults(id: SignalId) {
  return { weight: SIGNALS[id].weight / WHOLE, applicable: true }
}

/** A configuration as members were taken out of it, with the defaults in their places. */
export function completeConfig(partial: DecayConfig): DecayConfig {
  const { pillars, signals, caps, notify } = DEFAULT_DECAY_CONFIG
  return {
    ...DEFAULT_DECAY_CONFIG,
    ...partial,
    pillars: keyed(PILLAR_NAMES, (name) => ({ ...pillars[name], ...partial.pillars?.[name] })),
    signals: keyed(SIGNAL_IDS, (id) => ({ ...signals[id], ...partial.signals?.[id] })),
    caps: { ...caps, ...partial.caps },
    notify: { ...notify, ...partial.notify },
  }
}
