import { expect, test } from 'vitest'
import { withWindow } from '../budgets/budget.ts'
import { claimOf } from './hold.ts'

test.each([
  ['day', null, '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  // Sixty buckets of two minutes each: the window is the current bucket and the two hours before it.
  ['rolling', 2, '2026-03-01T23:58:00.000Z', '2026-03-01T21:58:00.000Z'],
] as const)(
  'a hold of a %s counts with what its own window holds, also after that has turned',
  (kind, hours, bucket, since) => {
    const rule = { kind, hours, timeZone: 'UTC' }
    const budget = withWindow({
      id: 'b',
      name: 'b',
      scope: [],
      currency: 'USD',
      rule,
      kind: 'hard',
      onUnpriced: 'block',
    })
    budget.window(Date.parse('2026-03-02T00:00:00.000Z'))
    expect(claimOf({ id: 'h', budget, bucket, amount: 5n })).toEqual({
      holdId: 'h',
      budgetId: 'b',
      bucket,
      since,
      amountNano: '5',
    })
  },
)
