import { type FairModel, planOf } from '@parapet/quant'
import { expect, test } from 'vitest'
import { caseA, caseB } from '../testing/risk-world.ts'
import { exactResult } from './exact-result.ts'

test.each([
  ['A', caseA],
  ['B', caseB],
])(
  'case %s: the total of independent years has the sum of means and variances, and no loss if no year has one',
  (_, model) => {
    const plan = planOf(model as FairModel)
    const [year, three] = [exactResult(plan, 1), exactResult(plan, 3)]
    expect(year.horizon).toBeUndefined()
    const { horizon, ...rest } = three
    expect(rest).toEqual(year)
    expect(horizon?.years).toBe(3)
    expect((horizon?.mean ?? 0) / year.mean).toBeCloseTo(3, 10)
    expect((horizon?.sd ?? 0) / (year.sd ?? 1)).toBeCloseTo(Math.sqrt(3), 10)
    expect(horizon?.no_loss).toBeCloseTo(year.no_loss ** 3, 12)
    const tail = (of: typeof year.tails) => of.find(({ level }) => level === 0.95)
    expect(tail(horizon?.tails ?? [])?.var).toBeLessThan(3 * (tail(year.tails)?.var ?? 0))
    expect(tail(horizon?.tails ?? [])?.tvar).toBeLessThan(3 * (tail(year.tails)?.tvar ?? 0))
  },
)
