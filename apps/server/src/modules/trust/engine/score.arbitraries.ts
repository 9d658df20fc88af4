import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { CAP_IDS, type CapInput } from './caps.ts'
import type { DecayConfig } from './config.ts'
import { DEFAULT_DECAY_CONFIG } from './config-defaults.ts'
import type { SignalEvent } from './events-penalty.ts'
import type { SignalInput } from './evidence.ts'
import type { ScoreInput } from './score.ts'
import { PILLAR_NAMES, SIGNAL_IDS, SIGNALS, type SignalId, signalsOf } from './signals.ts'

export const NOW = '2026-03-01T12:00:00.000Z'
const MS_PER_DAY = 86_400_000

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The time a number of days before `NOW`. */
export function daysAgo(days: number): string {
  return new Date(Date.parse(NOW) - Math.round(days * MS_PER_DAY)).toISOString()
}

/** A score input with only the parts that matter to the case; the rest is a new tenant's. */
export function scoreInput(parts: Partial<ScoreInput> = {}): ScoreInput {
  return { at: NOW, config: DEFAULT_DECAY_CONFIG, signals: [], caps: [], ...parts }
}

const age = fc.double({ min: 0, max: 400, noNaN: true })
const moment = age.map(daysAgo)
const observedAt = fc.option(moment, { nil: null, freq: 6 })

const stateReading: fc.Arbitrary<Omit<SignalInput, 'id' | 'observed_at'>> = fc.oneof(
  fc.record({ value: fc.double({ min: 0, max: 100, noNaN: true }), n: fc.option(fc.nat(1000), { nil: null }) }),
  fc.nat(500).chain((n) => fc.record({ good: fc.nat(n), n: fc.constant(n) })),
  fc.constant({ value: null, n: null }),
)

const event: fc.Arbitrary<SignalEvent> = fc.record({
  severity: fc.constantFrom('critical', 'high', 'medium', 'low'),
  at: moment,
  closed_at: fc.option(moment, { nil: null }),
})

const eventReading = fc.record({ events: fc.array(event, { maxLength: 8 }) })

function signal(id: SignalId): fc.Arbitrary<SignalInput> {
  const reading: fc.Arbitrary<Omit<SignalInput, 'id' | 'observed_at'>> =
    SIGNALS[id].class === 'event' ? eventReading : stateReading
  return fc.tuple(observedAt, reading).map(([observed_at, parts]) => ({ id, observed_at, ...parts }))
}

export const signals: fc.Arbitrary<readonly SignalInput[]> = fc
  .subarray([...SIGNAL_IDS])
  .chain((ids) => fc.tuple(...ids.map(signal)))

export const caps: fc.Arbitrary<readonly CapInput[]> = fc
  .subarray([...CAP_IDS])
  .chain((ids) => fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), active: fc.boolean() }))))

/** Five pillar weights of whole ten-thousandths that sum to one, some of them often 0. */
const pillarWeights = fc
  .array(fc.nat(10_000), { minLength: 4, maxLength: 4 })
  .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), 10_000])
  .map((edges) => PILLAR_NAMES.map((_, i) => ((edges[i + 1] ?? 0) - (edges[i] ?? 0)) / 10_000))

const pillarAgeing = fc.record({
  half_life_days: fc.double({ min: 0.25, max: 400, noNaN: true }),
  grace_days: fc.nat(10),
})

const signalSettings = fc.record(
  {
    applicable: fc.boolean(),
    half_life_days: fc.integer({ min: 1, max: 100 }),
    decay_model: fc.constantFrom('exponential', 'linear', 'step', 'none'),
  },
  { requiredKeys: ['applicable'] },
)

/** The first signal of each pillar always applies, so that the weight of the others has an heir. */
const heirs = PILLAR_NAMES.map((name) => signalsOf(name)[0])

/** Usable configurations: any model, prior, weights of pillars, ageing, and signals set aside or overridden. */
export const configs: fc.Arbitrary<DecayConfig> = fc
  .record({
    decay_model: fc.constantFrom('exponential' as const, 'linear' as const, 'step' as const, 'none' as const),
    prior: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
    stale_bad_evidence: fc.constantFrom('hold' as const, 'decay' as const),
    weights: pillarWeights,
    ageing: fc.array(pillarAgeing, { minLength: PILLAR_NAMES.length, maxLength: PILLAR_NAMES.length }),
    changed: fc.array(fc.tuple(fc.constantFrom(...SIGNAL_IDS), signalSettings), { maxLength: 6 }),
  })
  .map(({ weights, ageing, changed, ...parts }) => {
    const config: DecayConfig = { ...structuredClone(DEFAULT_DECAY_CONFIG), ...parts }
    PILLAR_NAMES.forEach((name, i) => {
      config.pillars[name] = { ...config.pillars[name], ...ageing[i], weight: weights[i] ?? 0 }
    })
    for (const [id, settings] of changed) {
      const applicable = settings.applicable || heirs.includes(id)
      config.signals[id] = { ...config.signals[id], ...settings, applicable, reason: 'Not used here.' }
    }
    return config
  })

export const holdingConfigs = configs.map((config) => ({ ...config, stale_bad_evidence: 'hold' as const }))

export const scoreInputs: fc.Arbitrary<ScoreInput> = fc.record({ at: fc.constant(NOW), config: configs, signals, caps })

export const holdingInputs: fc.Arbitrary<ScoreInput> = fc.record({
  at: fc.constant(NOW),
  config: holdingConfigs,
  signals,
  caps,
})
