import { expect, test } from 'vitest'
import type { DecayConfig } from './config.ts'
import { DEFAULT_DECAY_CONFIG } from './config-defaults.ts'
import type { SignalInput } from './evidence.ts'
import { daysAgo, NOW, scoreInput } from './score.arbitraries.ts'
import { composeScore, type ScoreInput } from './score.ts'
import { PILLAR_NAMES, type PillarName, SIGNALS, type SignalId, signalsOf } from './signals.ts'

/** Every signal of a pillar at one value, so that the pillar has it too. Event signals are left out by `only`. */
function pillarAt(pillar: PillarName, value: number): SignalInput[] {
  return statesOf(pillar).map((id) => ({ id, observed_at: NOW, value, n: null }))
}

const statesOf = (pillar: PillarName) => signalsOf(pillar).filter((id) => SIGNALS[id].class === 'state')

/** The default configuration with the event signals set aside. */
function statesOnly(): DecayConfig {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  for (const id of ['anomaly_pressure', 'nonconformity_pressure'] as const) {
    config.signals[id] = { ...config.signals[id], applicable: false, reason: 'Only states in this case.' }
  }
  return config
}

const scoreOf = (input: Partial<ScoreInput>) => composeScore(scoreInput(input))
const signalOf = (input: Partial<ScoreInput>, id: SignalId) => scoreOf(input).signals.find((s) => s.id === id)
const pillarOf = (input: Partial<ScoreInput>, name: PillarName) => scoreOf(input).pillars.find((p) => p.pillar === name)

// Sums of score times weight 0.25, 0.25, 0.20, 0.15, 0.15, by hand.
test.each([
  [[90, 80, 70, 60, 95], 79.75, 'C+'],
  [[92.55, 88.1, 75.35, 81.05, 90.4], 85.95, 'B'],
])('pillars of %j make %d, %s', (scores, composite, grade) => {
  const signals = PILLAR_NAMES.flatMap((name, i) => pillarAt(name, scores[i] ?? 0))
  const score = scoreOf({ config: statesOnly(), signals })
  expect(score.pillars.map((pillar) => pillar.score)).toEqual(scores)
  expect(score).toMatchObject({ composite_score: composite, grade })
})

test('a new tenant has the prior, the grade F, no confidence and every score still possible', () => {
  expect(scoreOf({})).toMatchObject({
    composite_score: 50,
    grade: 'F',
    confidence: 0,
    coverage: 0,
    interval: { low: 0, high: 100 },
    provisional: true,
  })
})

test('good evidence fades to the prior and bad evidence is held', () => {
  const week = daysAgo(7)
  const good = { id: 'mcp_posture', observed_at: week, value: 90, n: null }
  expect(signalOf({ signals: [good] }, 'mcp_posture')).toMatchObject({ freshness: 0.5, effective: 70, age_days: 7 })
  expect(signalOf({ signals: [{ ...good, value: 20 }] }, 'mcp_posture')).toMatchObject({ effective: 20 })
})

test('bad evidence fades too where the configuration says so', () => {
  const config = { ...DEFAULT_DECAY_CONFIG, stale_bad_evidence: 'decay' as const }
  const signals = [{ id: 'mcp_posture', observed_at: daysAgo(7), value: 20, n: null }]
  expect(signalOf({ config, signals }, 'mcp_posture')).toMatchObject({ effective: 35 })
})

test('a proportion gets the small-sample formula, a finished value does not', () => {
  const proportion = { id: 'audited', observed_at: NOW, good: 1, n: 1 }
  expect(signalOf({ signals: [proportion] }, 'audited')).toMatchObject({ value: 54.55, n: 1 })
  const finished = { id: 'audited', observed_at: NOW, value: 100, n: 1 }
  expect(signalOf({ signals: [finished] }, 'audited')).toMatchObject({ value: 100 })
})

test('a sample of nothing is no evidence', () => {
  const signals = [{ id: 'audited', observed_at: NOW, good: 0, n: 0 }]
  expect(signalOf({ signals }, 'audited')).toMatchObject({ value: null, freshness: 0, effective: 50 })
  expect(scoreOf({ signals }).coverage).toBe(0)
})

test('events nobody watches for still count, and good silence unwatched is the prior', () => {
  const events = [1, 2, 3].map(() => ({ severity: 'critical' as const, at: daysAgo(1) }))
  const unwatched = { id: 'anomaly_pressure', observed_at: null }
  // P = 30: 100 * 2^(-1.5) = 35.36.
  expect(signalOf({ signals: [{ ...unwatched, events }] }, 'anomaly_pressure')).toMatchObject({ effective: 35.36 })
  expect(signalOf({ signals: [{ ...unwatched, events: [] }] }, 'anomaly_pressure')).toMatchObject({ effective: 50 })
})

test('a source that claims to have watched the future does not age its events', () => {
  const events = [{ severity: 'critical' as const, at: daysAgo(1), closed_at: NOW }]
  const signals = [{ id: 'anomaly_pressure', observed_at: daysAgo(-30), events }]
  expect(signalOf({ signals }, 'anomaly_pressure')).toMatchObject({ value: 70.71, age_days: 0 })
})

test('a signal’s own half-life and model go before the pillar’s', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.pillars.security = { weight: 0.25, half_life_days: 7, lifetime_days: 1000, grace_days: 1 }
  config.signals.mcp_posture = { weight: 0.15, applicable: true, half_life_days: 10, decay_model: 'linear' }
  const signals = [{ id: 'mcp_posture', observed_at: daysAgo(11), value: 90, n: null }]
  expect(signalOf({ config, signals }, 'mcp_posture')).toMatchObject({ freshness: 0.5 })
})

test.each([
  ['linear', 0.75],
  ['step', 0.9],
] as const)('a lifetime and steps set for a pillar shape its %s decay', (decay_model, freshness) => {
  const config = { ...structuredClone(DEFAULT_DECAY_CONFIG), decay_model }
  const steps = [{ after_days: 20, factor: 0.9 }]
  config.pillars.security = { weight: 0.25, half_life_days: 7, lifetime_days: 100, steps }
  const signals = [{ id: 'mcp_posture', observed_at: daysAgo(25), value: 90, n: null }]
  expect(signalOf({ config, signals }, 'mcp_posture')).toMatchObject({ freshness })
})

test('an active cap bounds what is still possible', () => {
  const caps = [{ id: 'audit_chain_broken', active: true }]
  // ai_governance weighs 0.15 and cannot be above 0.
  expect(scoreOf({ caps })).toMatchObject({ composite_score: 42.5, interval: { low: 0, high: 85 } })
})

test('the lowest active cap holds the pillar down and says so', () => {
  const signals = pillarAt('compliance', 90)
  const caps = [
    { id: 'critical_check_failing', active: true },
    { id: 'prohibited_ai_active', active: true },
    { id: 'evidence_chain_broken', active: false },
  ]
  const input = { config: statesOnly(), signals, caps }
  expect(pillarOf(input, 'compliance')).toMatchObject({ score: 40, uncapped: 90, capped_by: 'prohibited_ai_active' })
  expect(scoreOf(input).caps.filter((cap) => cap.applied)).toEqual([
    { id: 'prohibited_ai_active', pillar: 'compliance', limit: 40, active: true, applied: true },
  ])
})

test('a cap above the mean, or switched off, changes nothing', () => {
  const signals = pillarAt('security', 30)
  const caps = [{ id: 'kill_switch_active', active: true }]
  expect(pillarOf({ config: statesOnly(), signals, caps }, 'security')).toMatchObject({ score: 30, capped_by: null })
  const config = statesOnly()
  config.caps.kill_switch_active = null
  const high = { config, signals: pillarAt('security', 90), caps }
  expect(pillarOf(high, 'security')).toMatchObject({ score: 90, capped_by: null })
})

test('the weight of a signal that does not apply falls to its siblings in proportion', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.signals.exposure_vs_appetite = { weight: 0.45, applicable: false, reason: 'No portfolio yet.' }
  const signals = [
    { id: 'exposure_vs_appetite', observed_at: NOW, value: 0, n: null },
    { id: 'treatment_timeliness', observed_at: NOW, value: 100, n: null },
    { id: 'kri_health', observed_at: NOW, value: 80, n: null },
    { id: 'quantified_coverage', observed_at: NOW, value: 60, n: null },
  ]
  // (0.20 * 100 + 0.20 * 80 + 0.15 * 60) / 0.55 = 81.8182.
  expect(pillarOf({ config, signals }, 'risk')).toMatchObject({ score: 81.82, coverage: 1, confidence: 1 })
})

test('confidence is weight times freshness times what the sample can carry', () => {
  const signals = [{ id: 'mcp_posture', observed_at: daysAgo(7), good: 10, n: 10 }]
  // 0.15 * 0.5 * 10 / 20 = 0.0375; a quarter of it for the composite, 0.009375.
  expect(pillarOf({ signals }, 'security')).toMatchObject({ confidence: 0.0375, coverage: 0.15 })
  expect(scoreOf({ signals })).toMatchObject({ confidence: 0.0094, provisional: true })
})

test('full and fresh evidence leaves no doubt', () => {
  const signals = PILLAR_NAMES.flatMap((name) => pillarAt(name, 80))
  expect(scoreOf({ config: statesOnly(), signals })).toMatchObject({
    composite_score: 80,
    confidence: 1,
    coverage: 1,
    interval: { low: 80, high: 80 },
    provisional: false,
  })
})

test('a configuration whose weights do not sum to one is not scored', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.pillars.risk.weight = 0.21
  expect(() => scoreOf({ config })).toThrow(/sum to 1.01/)
})
