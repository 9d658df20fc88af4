import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DecayConfig } from '../config.ts'
import { DEFAULT_DECAY_CONFIG } from '../config-defaults.ts'
import { toHundredths } from '../fixed-point.ts'
import { gradeOf } from '../grade.ts'
import { holdingInputs, NOW, scoreInput, scoreInputs } from '../score.arbitraries.ts'
import { composeScore, type ScoreInput } from '../score.ts'
import { PILLAR_NAMES, SIGNAL_IDS, SIGNALS } from '../signals.ts'
import { type ForecastLimits, forecastGrades } from './forecast.ts'

const msPerDay = 86_400_000
const msPerMinute = 60_000

const forecast = (input: ScoreInput, limits: Partial<ForecastLimits> = {}) =>
  forecastGrades({ at: input.at, score: composeScore(input), config: input.config }, limits)

/** Every state signal at a value, every pillar with the same half-life. */
function everywhere(value: number, change: (config: DecayConfig) => void = () => {}): ScoreInput {
  const config = structuredClone(DEFAULT_DECAY_CONFIG)
  for (const name of PILLAR_NAMES) config.pillars[name].half_life_days = 7
  for (const id of SIGNAL_IDS) {
    if (SIGNALS[id].class === 'event')
      config.signals[id] = { ...config.signals[id], applicable: false, reason: 'Only states here.' }
  }
  change(config)
  const states = SIGNAL_IDS.filter((id) => SIGNALS[id].class === 'state')
  return scoreInput({ config, signals: states.map((id) => ({ id, value, observed_at: NOW })) })
}

const gradeAt = (input: ScoreInput, moment: number) =>
  gradeOf(toHundredths(composeScore({ ...input, at: new Date(moment).toISOString() }).composite_score))

describe('the forecast', () => {
  // 50 + 40 × 2^(−t/7) = 80 at t = 2.905262 days; the displayed composite falls below 80.00 at 79.995, 3.6 minutes later.
  test('of 90 with a half-life of 7 days leaves B− when the curve says', () => {
    const [first, second] = forecast(everywhere(90))
    expect([first?.grade, first?.composite_score]).toEqual(['B+', 89.99])
    const fallen = forecast(everywhere(90)).find(({ grade }) => grade === 'C+')
    const days = (Date.parse(fallen?.at ?? '') - Date.parse(NOW)) / msPerDay
    expect(Math.abs(days - 2.905262)).toBeLessThan(5 / 1_440)
    expect(second?.grade).toBe('B')
  })

  test('names every grade down to the prior, in order', () => {
    expect(forecast(everywhere(100)).map(({ grade }) => grade)).toEqual([
      'A',
      'A-',
      'B+',
      'B',
      'B-',
      'C+',
      'C',
      'C-',
      'D+',
      'D',
      'D-',
      'F',
    ])
  })

  test('sees a step at its minute', () => {
    const steps = [{ after_days: 10, factor: 0 }]
    const stepped = everywhere(90, (config) => {
      config.decay_model = 'step'
      for (const name of PILLAR_NAMES) config.pillars[name].steps = steps
    })
    const at = new Date(Date.parse(NOW) + 10 * msPerDay + msPerMinute).toISOString()
    expect(forecast(stepped)).toEqual([{ at, composite_score: 50, grade: 'F' }])
  })

  test('of what does not age, or is at the prior, is empty', () => {
    expect(forecast(everywhere(90, (config) => Object.assign(config, { decay_model: 'none' })))).toEqual([])
    expect(forecast(scoreInput())).toEqual([])
  })

  test('is what the score turns out to be, at its minute and in the minute before', () => {
    fc.assert(
      fc.property(scoreInputs, (input) => {
        let grade = composeScore(input).grade
        for (const point of forecast(input)) {
          const moment = Date.parse(point.at)
          expect(moment % msPerMinute).toBe(0)
          expect(gradeAt(input, moment - msPerMinute)).toBe(grade)
          expect(gradeAt(input, moment)).toBe(point.grade)
          grade = point.grade
        }
      }),
      { numRuns: 60 },
    )
  })

  test('misses no change where bad evidence is held: the grade only falls, and between two changes it stays', () => {
    fc.assert(
      fc.property(holdingInputs, fc.double({ min: 0, max: 399, noNaN: true }), (input, days) => {
        const moment = Math.floor((Date.parse(NOW) + days * msPerDay) / msPerMinute) * msPerMinute
        const known = forecast(input).findLast(({ at }) => Date.parse(at) <= moment)
        expect(gradeAt(input, moment)).toBe(known?.grade ?? composeScore(input).grade)
      }),
      { numRuns: 60 },
    )
  })

  test('looks as far, and for as many changes, as it is asked to', () => {
    expect(forecast(everywhere(90), { most: 2 })).toHaveLength(2)
    expect(forecast(everywhere(90), { minutes: 1_440 }).length).toBeLessThan(3)
  })
})
