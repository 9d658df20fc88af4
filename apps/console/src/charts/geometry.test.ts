import { expect, test } from 'vitest'
import { exceedanceCurve, gaugeArc, heatLevel, onCircle, timeLine } from './geometry.ts'

const near = (points: readonly number[]) => points.map((value) => expect.closeTo(value, 6))

test('degrees go clockwise from up', () => {
  expect(onCircle(100, 50, 0)).toEqual(near([100, 50]))
  expect(onCircle(100, 50, 90)).toEqual(near([150, 100]))
  expect(onCircle(100, 50, 180)).toEqual(near([100, 150]))
})

test('a gauge goes from lower left over the top', () => {
  // sin 120° × 80 = 69.28, cos 120° × 80 = −40
  expect(gaugeArc(0.5, 100, 80)).toBe('M30.72 140A80 80 0 0 1 100 20')
  expect(gaugeArc(1, 100, 80)).toBe('M30.72 140A80 80 0 1 1 169.28 140')
  expect(gaugeArc(7, 100, 80)).toBe(gaugeArc(1, 100, 80))
})

test('losses stand on decades and probabilities upside down', () => {
  const curve = exceedanceCurve(
    [
      { loss: 0, probability: 0.9 },
      { loss: 100, probability: 0.4, band: { low: 0.3, high: 0.4 } },
      { loss: 1_000, probability: 0.2, band: { low: 0.1, high: 0.3 } },
      { loss: 10_000, probability: 0, band: { low: 0, high: 0.1 } },
    ],
    { width: 200, height: 100 },
    [1_000],
  )
  expect(curve.line).toBe('M0 0L100 50L200 100')
  expect(curve.band).toBe('M0 0L100 25L200 75L200 100L100 75L0 25Z')
  expect(curve.lossTicks).toEqual([100, 1_000, 10_000])
  expect(curve.x(1_000)).toBe(100)
})

test('a curve without losses draws nothing and fails nowhere', () => {
  const curve = exceedanceCurve([{ loss: 0, probability: 1 }], { width: 200, height: 100 }, [])
  expect([curve.line, curve.band]).toEqual(['', ''])
})

test('a line runs over its box', () => {
  const values = [
    { at: 0, value: 0 },
    { at: 5, value: 50 },
    { at: 10, value: 100 },
  ]
  expect(timeLine(values, { width: 100, height: 40 }, [0, 100])).toBe('M0 40L50 20L100 0')
})

test('corners of the heat map are its extremes', () => {
  expect([heatLevel(1, 1), heatLevel(5, 5), heatLevel(1, 5), heatLevel(3, 4)]).toEqual([1, 5, 3, 4])
})
