import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { curveOf, freshness } from './decay.ts'
import { toHundredths, toMillionths, toPoints, weightedMean } from './fixed-point.ts'
import { gradeOf } from './grade.ts'
import { effectiveValue } from './signal-score.ts'
import { PILLAR_NAMES, PILLARS } from './signals.ts'

interface Oracles {
  readonly composite: readonly { readonly scores: number[]; readonly composite: number; readonly grade: string }[]
  readonly freshness: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly decayed: readonly Record<'value' | 'prior' | 'freshness' | 'effective', number>[]
}

const file = fileURLToPath(new URL('../../../../../../../shared/data/quant/oracles.json', import.meta.url))
const oracles: Oracles | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).trust : null

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
})
