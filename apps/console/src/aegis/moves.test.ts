import { expect, test } from 'vitest'
import { movesOfAlert, movesOfService, verbOf } from './moves.ts'

test('an alert goes forward and comes back from its end, and each move has a verb', () => {
  expect(movesOfAlert('new')).toEqual(['triaged', 'suppressed'])
  expect(movesOfAlert('closed')).toEqual(['in_progress'])
  expect(movesOfAlert('suppressed')).toEqual([])
  for (const status of ['new', 'triaged', 'in_progress', 'resolved'])
    for (const move of movesOfAlert(status)) expect(verbOf(move)).toMatch(/^[A-Z]/)
  expect(movesOfService('under_review').map(verbOf)).toEqual(['Sanction …', 'Tolerate …', 'Ban …'])
})
