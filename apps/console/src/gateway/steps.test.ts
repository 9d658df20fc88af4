import { expect, test } from 'vitest'
import { stepRows } from './steps.ts'

const step = (n: number, ms: number, decision = 'allow') => ({
  n,
  name: `step_${n}`,
  decision,
  ms,
  budget_ms: 5,
  failed: false,
  findings: 0,
})

test('there are always fourteen rows, and bars follow each other', () => {
  const rows = stepRows([step(1, 1), step(2, 3), step(4, 4, 'block')])
  expect(rows).toHaveLength(14)
  expect(rows.slice(0, 4).map(({ from, share, ran }) => [from, share, ran])).toEqual([
    [0, 0.125, true],
    [0.125, 0.375, true],
    [0, 0, false],
    [0.5, 0.5, true],
  ])
  expect(rows[13]?.ran).toBe(false)
})

test('steps that took no time divide by nothing', () => {
  expect(stepRows([step(1, 0)])[0]).toMatchObject({ from: 0, share: 0, ran: true })
})
