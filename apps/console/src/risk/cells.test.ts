import { expect, test } from 'vitest'
import { cellsOf } from './cells.ts'

const level = (likelihood: number | null, impact: number | null) => ({ likelihood, impact })

test('risks stand where they are now, and those without a place are left out', () => {
  const risks = [
    { reference: 'R-1', inherent: level(5, 5), residual: level(2, 3) },
    { reference: 'R-2', inherent: level(2, 3), residual: null },
    { reference: 'R-3', inherent: level(4, 4), residual: level(null, 3) },
    { reference: 'R-4', inherent: level(null, null), residual: null },
  ]
  expect(cellsOf(risks)).toEqual([
    { likelihood: 2, impact: 3, references: ['R-1', 'R-2'] },
    { likelihood: 4, impact: 4, references: ['R-3'] },
  ])
})
