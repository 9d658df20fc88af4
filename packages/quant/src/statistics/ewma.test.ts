import { expect, test } from 'vitest'
import { ewmaChart, ewmaNext, isOutOfControl } from './ewma.ts'

/** NIST/SEMATECH e-Handbook 6.3.2.4: λ = 0.3, target 50, s = 2.0539. */
const values = [
  52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5, 49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6,
  52.1,
]
const averages = [
  50.6, 49.52, 50.56, 50.18, 50.16, 49.21, 49.75, 49.85, 50.26, 50.33, 50.11, 49.36, 49.52, 50.05, 49.38, 49.92, 50.73,
  51.23, 51.94, 51.99,
]

test('the example of the handbook', () => {
  const chart = ewmaChart({ target: 50, deviation: 2.0539, lambda: 0.3 })
  expect(chart.upper).toBeCloseTo(52.5884, 3)
  expect(chart.lower).toBeCloseTo(47.4116, 3)
  let average = chart.target
  const ours = values.map((value) => {
    average = ewmaNext(chart, average, value)
    return average
  })
  for (const [index, expected] of averages.entries())
    expect(Math.abs((ours[index] ?? 0) - expected)).toBeLessThan(0.006)
  expect(ours.some((each) => isOutOfControl(chart, each))).toBe(false)
})

test('a shift of one standard deviation is out of control after some values, single noise is not', () => {
  const chart = ewmaChart({ target: 0, deviation: 1 })
  let average = 0
  for (let day = 0; day < 30; day++) average = ewmaNext(chart, average, 1.5)
  expect(isOutOfControl(chart, average)).toBe(true)
  expect(isOutOfControl(chart, ewmaNext(chart, 0, 4.9))).toBe(false)
})

test('weights outside (0, 1] are refused', () => {
  for (const lambda of [0, 1.1, Number.NaN]) {
    expect(() => ewmaChart({ target: 0, deviation: 1, lambda })).toThrow(RangeError)
  }
})
