import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { curveOf, freshness } from '../decay.ts'
import { toHundredths, toMillionths, toPoints, toTenThousandths, weightedMean } from '../fixed-point.ts'
import { gradeOf } from '../grade.ts'
import { effectiveValue } from '../signal-score.ts'
import { PILLAR_NAMES, PILLARS } from '../signals.ts'
import { shapleyValues } from './shapley.ts'

interface Oracles {
  readonly composite: readonly { readonly scores: number[]; readonly composite: number; readonly grade: string }[]
  readonly freshness: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly forecast: Readonly<Record<'value' | 'prior' | 'H_days' | 'crosses_below' | 'after_days', number>>
  readonly shapley_with_cap: {
    readonly signals: Readonly<Record<'a' | 'b', { readonly weight: number; readonly effective: number }>>
    readonly baseline: number
    readonly cap: number
    readonly phi: Readonly<Record<string, number>>
    readonly without_cap: { readonly phi: Readonly<Record<string, number>> }
  }
  readonly decayed: readonly Record<'value' | 'prior' | 'freshness' | 'effective', number>[]
}

const file = fileURLToPath(new URL('../../../../../../../../shared/data/quant/oracles.json', import.meta.url))
const oracles: Oracles | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).trust : null

const empty = { value: 0, prior: 0, H_days: 1, crosses_below: 0, after_days: 0 }
const nothing = { weight: 1, effective: 0 }
const noPhi: Readonly<Record<string, number>> = {}
const noCap = { signals: { a: nothing, b: nothing }, baseline: 0, cap: 0, phi: noPhi, without_cap: { phi: noPhi } }

// Worked out apart from this code; the same cases stand by hand in the tests beside each subject.
describe.skipIf(oracles === null)('worked examples (skipped where the folder of reference data is absent)', () => {
  test('composites and grades', () => {
    for (const { scores, composite, grade } of oracles?.composite ?? []) {
      const terms = PILLAR_NAMES.map((name, i) => ({
        weight: PILLARS[name].weight,
        value: toHundredths(scores[i] ?? 0),
      }))
      const mean = weightedMean(terms) ?? 0
      expect([toPoints(mean), gradeOf(mean)]).toEqual([composite, grade])
    }
    expect.hasAssertions()
  })

  test.each([
    ['exponential_H7', 'exponential'],
    ['linear_L14', 'linear'],
    ['step_H7', 'step'],
    ['none', 'none'],
  ] as const)('freshness %s', (key, model) => {
    for (const [age, expected] of Object.entries(oracles?.freshness[key] ?? {})) {
      expect(freshness(curveOf(model, 7), Number(age))).toBeCloseTo(expected, 9)
    }
    expect.hasAssertions()
  })

  test('effective values', () => {
    for (const { value, prior, freshness: fresh, effective } of oracles?.decayed ?? []) {
      const settings = { prior: toHundredths(prior), stale: 'hold' } as const
      expect(toPoints(effectiveValue(toHundredths(value), toMillionths(fresh), settings))).toBe(effective)
    }
    expect.hasAssertions()
  })

  test('the moment at which a value crosses a boundary', () => {
    const { value, prior, H_days, crosses_below, after_days } = oracles?.forecast ?? empty
    const aged = (days: number) => {
      const fresh = toMillionths(freshness(curveOf('exponential', H_days), days))
      return effectiveValue(toHundredths(value), fresh, { prior: toHundredths(prior), stale: 'hold' })
    }
    // At the crossing the value still shows as the boundary; it shows below it after half a hundredth.
    expect(toPoints(aged(after_days))).toBe(crosses_below)
    expect(toPoints(aged(after_days + 0.003))).toBeLessThan(crosses_below)
    expect.hasAssertions()
  })

  test('Shapley values with a cap and without', () => {
    const { signals, baseline, cap, phi, without_cap } = oracles?.shapley_with_cap ?? noCap
    const players = (['a', 'b'] as const).map((id) => ({
      id,
      weight: toTenThousandths(signals[id].weight),
      before: toHundredths(baseline),
      after: toHundredths(signals[id].effective),
    }))
    const limit = { id: 'cap', limit: toHundredths(cap), before: false, after: true }
    for (const [id, value] of shapleyValues(players, [limit])) expect(value / 100).toBeCloseTo(phi[id] ?? 0, 6)
    for (const [id, value] of shapleyValues(players, [])) expect(value / 100).toBeCloseTo(without_cap.phi[id] ?? 0, 9)
    expect.hasAssertions()
  })
})
