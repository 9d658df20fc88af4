import { expect, test } from 'vitest'
import { movesFrom, states } from './states.ts'

test('every state can be left, and every state but the first is reached from another', () => {
  const reached = new Set(states.flatMap(movesFrom))
  for (const state of states) expect(movesFrom(state).length).toBeGreaterThan(0)
  expect([...reached].sort()).toEqual(states.filter((state) => state !== 'draft').sort())
})

test('a risk is accepted only from its evaluation and opened again only after it was closed', () => {
  expect(states.filter((state) => movesFrom(state).includes('accepted'))).toEqual(['evaluated'])
  expect(states.filter((state) => movesFrom(state).includes('identified'))).toEqual(['draft', 'closed'])
})
