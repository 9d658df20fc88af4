import { describe, expect, test } from 'vitest'
import { lawOf } from '../distributions/law.ts'
import { dataLossLaw } from './data-loss.ts'
import { constantDuration, longestOfDurations, mixtureOfDurations, sumOfDurations } from './duration-grid.ts'

const pert = (low: number, mode: number, high: number) => lawOf({ type: 'pert', low, mode, high })

describe('a recovery of several steps', () => {
  // Oracle rto: detect PERT(1,5,15), fail over PERT(2,5,20), verify PERT(1,3,10).
  const chain = sumOfDurations([pert(1, 5, 15), pert(2, 5, 20), pert(1, 3, 10)])

  test('has the moments and quantiles of the sum', () => {
    expect(chain.mean).toBeCloseTo(16.8333, 3)
    expect(chain.sd).toBeCloseTo(4.26735, 3)
    expect(chain.quantile(0.5)).toBeCloseTo(16.557, 2)
    expect(chain.quantile(0.95)).toBeCloseTo(24.322, 2)
    expect(chain.quantile(0.99)).toBeCloseTo(27.62, 2)
    expect(chain.cdf(20)).toBeCloseTo(0.77404, 3)
    expect(chain.cdf(30)).toBeCloseTo(0.99773, 4)
  })

  test('is moved by a constant step', () => {
    const moved = sumOfDurations([
      pert(1, 5, 15),
      lawOf({ type: 'constant', value: 10 }),
      pert(2, 5, 20),
      pert(1, 3, 10),
    ])
    expect(moved.quantile(0.95)).toBeCloseTo(chain.quantile(0.95) + 10, 9)
    expect(sumOfDurations([lawOf({ type: 'constant', value: 10 })]).quantile(0.99)).toBe(10)
  })

  test('is longer the more there is to wait for', () => {
    const longest = longestOfDurations([chain, constantDuration(20)])
    expect(longest.cdf(19)).toBeLessThan(1e-6)
    expect(longest.cdf(25)).toBeCloseTo(chain.cdf(25), 3)
  })

  test('mixes with others by weight', () => {
    const mixed = mixtureOfDurations([
      { weight: 3, law: constantDuration(10) },
      { weight: 1, law: constantDuration(30) },
    ])
    expect([mixed.mean, mixed.cdf(10), mixed.cdf(29)]).toEqual([15, 0.75, 0.75])
    expect(mixed.quantile(0.9)).toBeCloseTo(30, 3)
  })

  test('without steps takes no time', () => {
    expect([sumOfDurations([]).quantile(0.5), longestOfDurations([]).cdf(0)]).toEqual([0, 1])
  })
})

describe('lost data', () => {
  test('of a copy each 60 minutes with a lag of 5: mean 35, p95 62, P(≤ 30) 0.41667', () => {
    const loss = dataLossLaw({ interval: 60, lag: 5, restoreSuccess: 1 })
    expect([loss.mean, loss.quantile(0.95)]).toEqual([35, 62])
    expect(loss.cdf(30)).toBeCloseTo(0.4166667, 6)
  })

  test('grows with restores that fail, and quantile and distribution function agree', () => {
    const loss = dataLossLaw({ interval: 60, lag: 5, restoreSuccess: 0.8 })
    expect(loss.mean).toBe(50)
    for (const p of [0.1, 0.5, 0.8, 0.81, 0.95, 0.999]) expect(loss.cdf(loss.quantile(p))).toBeCloseTo(p, 9)
  })
})
