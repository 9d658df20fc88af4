import { expect, test } from 'vitest'
import { movesOfAlert, movesOfService, verbOf } from './moves.ts'

test('an alert goes forward and comes back from its end, and each move has a verb', () => {
  expect(movesOfAlert('new')).toEqual(['triaged'])
  expect(movesOfAlert('closed')).toEqual(['in_progress'])
  expect(movesOfAlert('suppressed')).toEqual([])
  for (const status of ['new', 'triaged', 'in_progress', 'resolved'])
    expect(verbOf(movesOfAlert(status)[0] ?? '')).toMatch(/^[A-Z]/)
  expect(movesOfService('under_review').map(verbOf)).toEqual(['Sanction …', 'Tolerate …', 'Ban …'])
})
