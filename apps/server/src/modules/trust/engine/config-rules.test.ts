import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { DecayConfig } from './config.ts'
import { DEFAULT_DECAY_CONFIG } from './config-defaults.ts'
import { configProblems } from './config-rules.ts'
import type { DecayStep } from './decay.ts'
import { PILLAR_NAMES } from './signals.ts'

function withWeights(weights: readonly number[]): DecayConfig {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  PILLAR_NAMES.forEach((name, i) => {
    config.pillars[name].weight = weights[i] ?? 0
  })
  return config
}

function withSteps(steps: DecayStep[]): DecayConfig {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.pillars.risk.steps = steps
  return config
}

test('the default configuration has the right shape and no problem', () => {
  expect(Value.Check(DecayConfig, DEFAULT_DECAY_CONFIG)).toBe(true)
  expect(configProblems(DEFAULT_DECAY_CONFIG)).toEqual([])
})

test('every weight of four decimals has the right shape', () => {
  const { weight } = DecayConfig.properties.pillars.properties.risk.properties
  for (let k = 0; k <= 10_000; k++) {
    expect(Value.Check(weight, Number(`${k}e-4`)), `${k}e-4`).toBe(true)
  }
})

test('an unknown field has not the right shape', () => {
  expect(Value.Check(DecayConfig, { ...DEFAULT_DECAY_CONFIG, mood: 'good' })).toBe(false)
  const pillars = { ...DEFAULT_DECAY_CONFIG.pillars, luck: { weight: 0, half_life_days: 7 } }
  expect(Value.Check(DecayConfig, { ...DEFAULT_DECAY_CONFIG, pillars })).toBe(false)
})

// In binary floating point these five do not add up to 1 in every order.
test('weights that sum to one in decimals are accepted', () => {
  expect(configProblems(withWeights([0.3, 0.3, 0.2, 0.1, 0.1]))).toEqual([])
})

test('weights one ten-thousandth over are refused with their sum and their set', () => {
  expect(configProblems(withWeights([0.25, 0.25, 0.2, 0.15, 0.1501]))).toEqual([
    { kind: 'weights', path: 'pillars', detail: 'The weights sum to 1.0001, not to exactly 1.' },
  ])
})

test.each([Number.NaN, -0, Number.POSITIVE_INFINITY, -0.25, 0.25001])('a weight of %d is refused by name', (weight) => {
  const problems = configProblems(withWeights([weight, 0.25, 0.2, 0.15, 0.15]))
  expect(problems.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['weights pillars.security.weight'])
})

test('every number of points with two decimals is accepted', () => {
  for (let k = 0; k <= 10_000; k++) {
    expect(configProblems({ ...DEFAULT_DECAY_CONFIG, prior: Number(`${k}e-2`) }), `${k}e-2`).toEqual([])
  }
})

test.each([Number.NaN, -0.01, 100.01, 33.333])(
  'a prior, a cap or a threshold of %d points is refused by name',
  (points) => {
    const config = structuredClone(DEFAULT_DECAY_CONFIG)
    config.prior = points
    config.caps.kill_switch_active = points
    config.notify.min_change = points
    expect(configProblems(config).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'decay prior',
      'decay caps.kill_switch_active',
      'decay notify.min_change',
    ])
  },
)

test('the signals of a pillar must sum to one too', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.signals.kri_health.weight = 0.1
  expect(configProblems(config)).toMatchObject([{ kind: 'weights', path: 'signals of risk' }])
})

test.each([
  [
    'days that repeat',
    [
      { after_days: 5, factor: 0.5 },
      { after_days: 5, factor: 0.2 },
    ],
  ],
  [
    'a factor that rises',
    [
      { after_days: 5, factor: 0.5 },
      { after_days: 9, factor: 0.6 },
    ],
  ],
])('steps with %s are refused', (_, steps) => {
  expect(configProblems(withSteps(steps))).toMatchObject([{ kind: 'decay', path: 'pillars.risk.steps' }])
})

test('a half-life outside its bounds is refused, for a pillar and for a signal', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.pillars.security.half_life_days = 0.2
  config.signals.audited.half_life_days = 3651
  expect(configProblems(config).map(({ path }) => path)).toEqual([
    'pillars.security.half_life_days',
    'signals.audited.half_life_days',
  ])
})

test('a signal is declared not applicable only with a reason', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.signals.mcp_posture = { weight: 0.15, applicable: false, reason: ' ' }
  expect(configProblems(config)).toMatchObject([{ kind: 'decay', path: 'signals.mcp_posture.reason' }])
  config.signals.mcp_posture.reason = 'No MCP server is in use.'
  expect(configProblems(config)).toEqual([])
})

test('a pillar that counts keeps at least one signal', () => {
  const config = withWeights([0.25, 0.25, 0.2, 0.15, 0.15])
  for (const id of ['exposure_vs_appetite', 'treatment_timeliness', 'kri_health', 'quantified_coverage'] as const) {
    config.signals[id] = { ...config.signals[id], applicable: false, reason: 'Not used here.' }
  }
  expect(configProblems(config)).toMatchObject([{ kind: 'weights', path: 'signals of risk' }])
  config.pillars.risk.weight = 0
  config.pillars.security.weight = 0.45
  expect(configProblems(config)).toEqual([])
})
