import { VectorError } from '@parapet/quant'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyOf,
  edgeProbability,
  exploitAttempt,
  exploitSuccess,
  meanSuccess,
  updateSuccess,
} from './edge-probability.ts'

const base = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

test('an attempt is certain in KEV, else EPSS over the horizon, never below the floor', () => {
  const attempt = { kev: false, epss: 0.2, horizonDays: 60, profileFloor: 0 }
  expect(exploitAttempt(attempt)).toBeCloseTo(0.36, 12)
  expect(exploitAttempt({ ...attempt, kev: true })).toBe(1)
  expect(exploitAttempt({ ...attempt, epss: null, profileFloor: 0.05 })).toBe(0.05)
})

test.each([
  [base, 'none', 0.9],
  [base.replace('AC:L', 'AC:H'), 'none', 0.45],
  [base.replace('AT:N', 'AT:P'), 'none', 0.54],
  [base.replace('UI:N', 'UI:P'), 'none', 0.63],
  [base.replace('UI:N', 'UI:A'), 'none', 0.36],
  [base.replace('PR:N', 'PR:L'), 'none', 0.765],
  [base.replace('PR:N', 'PR:L'), 'low', 0.9],
  [base.replace('PR:N', 'PR:H'), 'low', 0.54],
  [`${base}/MAC:H`, 'none', 0.45],
] as const)('success of %s from foothold %s is %d', (vector, foothold, success) => {
  expect(exploitSuccess(vector, foothold)).toBeCloseTo(success, 12)
})

test('an invalid vector keeps its position and metric', () => {
  expect(() => exploitSuccess('CVSS:4.0/AV:Q', 'none')).toThrow(VectorError)
})

test('controls multiply, ways combine', () => {
  const controls = [
    { efficacy: 0.9, coverage: 1 },
    { efficacy: 0.5, coverage: 0.5 },
  ]
  expect(edgeProbability({ attempt: 0.5, success: 0.8, controls })).toBeCloseTo(0.5 * 0.8 * 0.1 * 0.75, 15)
  expect(anyOf([0.5, 0.2])).toBeCloseTo(0.6, 15)
  expect(anyOf([])).toBe(0)
  expect(() => anyOf([1.5])).toThrow(RangeError)
  expect(() => edgeProbability({ attempt: 2, success: 1, controls: [] })).toThrow(RangeError)
})

test('a better control never raises the probability', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, share, share, (attempt, success, efficacy, coverage) => {
      const weak = edgeProbability({ attempt, success, controls: [{ efficacy: efficacy / 2, coverage }] })
      expect(edgeProbability({ attempt, success, controls: [{ efficacy, coverage }] })).toBeLessThanOrEqual(weak)
    }),
  )
})

test('test results move a beta belief', () => {
  expect(meanSuccess(updateSuccess({ alpha: 2, beta: 3 }, 1, 94))).toBeCloseTo(3 / 100, 15)
  expect(() => updateSuccess({ alpha: 0, beta: 1 }, 1, 1)).toThrow(RangeError)
  expect(() => updateSuccess({ alpha: 1, beta: 1 }, -1, 1)).toThrow(RangeError)
})
