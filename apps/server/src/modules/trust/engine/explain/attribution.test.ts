import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CAP_IDS } from '../caps.ts'
import { DEFAULT_DECAY_CONFIG } from '../config-defaults.ts'
import { toHundredths } from '../fixed-point.ts'
import { NOW, scoreInput, scoreInputs } from '../score.arbitraries.ts'
import { composeScore } from '../score.ts'
import { type Attribution, attribute, priorSide, sideOf } from './attribution.ts'

const hundredths = (points: number) => Math.sign(points) * toHundredths(Math.abs(points))

function total({ signals, caps, configuration }: Attribution): number {
  return [...signals, ...caps].reduce((sum, { phi }) => sum + hundredths(phi), hundredths(configuration))
}

test('contributions against the prior add up to the score less the prior', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const score = composeScore(input)
      const found = attribute(sideOf(score, input.config.prior), priorSide(input.config), input.config)
      expect(total(found)).toBe(toHundredths(score.composite_score) - priorSide(input.config).composite)
      expect(found.configuration).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('contributions against any other score, evidence and configuration add up to the difference', () => {
  fc.assert(
    fc.property(scoreInputs, scoreInputs, (input, earlier) => {
      const [score, baseline] = [composeScore(input), composeScore(earlier)]
      const found = attribute(sideOf(score, input.config.prior), sideOf(baseline, earlier.config.prior), input.config)
      expect(total(found)).toBe(toHundredths(score.composite_score) - toHundredths(baseline.composite_score))
    }),
    { numRuns: 500 },
  )
})

test('a score against itself has no contributions', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const side = sideOf(composeScore(input), input.config.prior)
      const found = attribute(side, side, input.config)
      expect([...found.signals, ...found.caps].every(({ phi }) => phi === 0)).toBe(true)
      expect([found.configuration, found.difference]).toEqual([0, 0])
    }),
  )
})

// enforced 100 of 100: effective 95.45; 0.15 × 0.25 × (95.45 − 50) = 1.7044, of a difference of 1.70.
test('one signal alone has all of the difference', () => {
  const signals = [{ id: 'enforced', observed_at: NOW, good: 100, n: 100 }]
  const score = composeScore(scoreInput({ signals }))
  const found = attribute(sideOf(score, 50), priorSide(DEFAULT_DECAY_CONFIG), DEFAULT_DECAY_CONFIG)
  const moved = found.signals.filter(({ phi }) => phi !== 0)
  expect(moved).toEqual([{ signal: 'enforced', pillar: 'ai_governance', phi: 1.7, effective: 95.45, baseline: 50 }])
})

test('of a pillar that a cap holds at nothing, signals and cap share the loss', () => {
  const signals = [{ id: 'enforced', observed_at: NOW, value: 100 }]
  const score = composeScore(scoreInput({ signals, caps: [{ id: 'audit_chain_broken', active: true }] }))
  const found = attribute(sideOf(score, 50), priorSide(DEFAULT_DECAY_CONFIG), DEFAULT_DECAY_CONFIG)
  // Pillar from 50 over 62.5 to 0. Orders: signal first 12.5, then the cap −62.5; cap first −50, then the signal 0.
  expect(found.signals.find(({ signal }) => signal === 'enforced')?.phi).toBeCloseTo(0.94, 2)
  expect(found.caps.find(({ cap }) => cap === 'audit_chain_broken')?.phi).toBeCloseTo(-8.44, 2)
  expect(found.difference).toBe(-7.5)
})

test('weights that change with the evidence unchanged are the configuration’s', () => {
  const signals = [{ id: 'enforced', observed_at: NOW, value: 100 }]
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.pillars.ai_governance.weight = 0.3
  config.pillars.risk.weight = 0.05
  const [before, after] = [composeScore(scoreInput({ signals })), composeScore(scoreInput({ signals, config }))]
  const found = attribute(sideOf(after, 50), sideOf(before, 50), config)
  expect(found.configuration).toBeCloseTo(after.composite_score - before.composite_score, 9)
  expect(found.signals.every(({ phi }) => phi === 0)).toBe(true)
})

test('a signal that does not apply and a cap that is switched off play no role', () => {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  config.signals.enforced = { weight: 0.25, applicable: false, reason: 'No model is called.' }
  for (const id of CAP_IDS) config.caps[id] = null
  const caps = CAP_IDS.map((id) => ({ id, active: true }))
  const score = composeScore(scoreInput({ config, caps, signals: [{ id: 'enforced', observed_at: NOW, value: 0 }] }))
  const found = attribute(sideOf(score, 50), priorSide(config), config)
  expect(found.signals.some(({ signal }) => signal === 'enforced')).toBe(false)
  expect(found.caps).toEqual([])
  expect(found.difference).toBe(0)
})
