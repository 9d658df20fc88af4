import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_DECAY_CONFIG } from '../config-defaults.ts'
import { daysAgo, NOW, scoreInput, scoreInputs } from '../score.arbitraries.ts'
import { composeScore, type ScoreInput } from '../score.ts'
import { SIGNALS } from '../signals.ts'
import { capLifts, missingEvidence, nextActions } from './actions.ts'
import { sideOf } from './attribution.ts'
import { applyChanges } from './changes.ts'

const sideFor = (input: ScoreInput) => sideOf(composeScore(input), input.config.prior)
const actions = (input: ScoreInput) => nextActions(input, sideFor(input))

test('gains are those of a simulation of the same change', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const before = composeScore(input).composite_score
      const gained = (change: Parameters<typeof applyChanges>[1][number]) =>
        composeScore(applyChanges(input, [change])).composite_score - before
      for (const { signal, refresh_gain, max_gain } of actions(input)) {
        expect(gained({ signal, refresh: true })).toBeCloseTo(refresh_gain, 9)
        if (SIGNALS[signal].class === 'state') expect(gained({ signal, value: 100 })).toBeCloseTo(max_gain, 9)
      }
    }),
  )
})

test('what raises the score most stands first', () => {
  const [first] = actions(scoreInput())
  // 0.25 × 0.45 × 50 of the compliance pillar, the heaviest signal of all.
  expect(first).toEqual({ signal: 'control_effectiveness', pillar: 'compliance', refresh_gain: 0, max_gain: 5.63 })
})

test('good evidence that has aged gains by being collected again', () => {
  const aged = scoreInput({ signals: [{ id: 'enforced', value: 100, observed_at: daysAgo(7) }] })
  // 75 again 100: 0.15 × 0.25 × 25.
  expect(actions(aged).find(({ signal }) => signal === 'enforced')).toMatchObject({
    refresh_gain: 0.94,
    max_gain: 0.94,
  })
})

test('under a cap no signal of the pillar gains, and lifting the cap does', () => {
  const capped = scoreInput({ caps: [{ id: 'kill_switch_active', active: true }] })
  expect(actions(capped).some(({ pillar }) => pillar === 'security')).toBe(false)
  expect(capLifts(sideFor(capped), DEFAULT_DECAY_CONFIG)).toEqual([
    { cap: 'kill_switch_active', pillar: 'security', limit: 40, lift_gain: 2.5 },
  ])
})

test('evidence that nobody has or that has aged away is missing, with what it leaves open', () => {
  const input = scoreInput({
    signals: [
      { id: 'enforced', value: 100, observed_at: NOW },
      { id: 'protected', value: 100, observed_at: daysAgo(400) },
    ],
  })
  const missing = missingEvidence(composeScore(input), sideFor(input), input.config)
  expect(missing.some(({ signal }) => signal === 'enforced')).toBe(false)
  expect(missing.find(({ signal }) => signal === 'protected')).toMatchObject({ reason: 'expired', span: 3 })
  expect(missing[0]).toMatchObject({ signal: 'control_effectiveness', reason: 'never_observed', source: 'compliance' })
  expect(missing[0]?.span).toBeCloseTo(11.25, 9)
})
