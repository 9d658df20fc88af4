import { expect, test } from 'vitest'
import type { Label } from '../declared/asset-schema.ts'
import { effective, withDecisions, withEvidence } from './labels.ts'

const states = (labels: readonly Label[]) => labels.map(({ category, state }) => `${category} ${state}`)
const decided = (labels: readonly Label[], category: string, state: Label['state']) =>
  withDecisions(labels, [{ category, state, reason: null, by: 'person', at: '2026-01-01T00:00:00.000Z' }])

test('evidence proposes, and confirms where it is sure enough', () => {
  const labels = withEvidence(
    [],
    [
      { category: 'phone', confidence: 0.9 },
      { category: 'email', confidence: 0.99 },
    ],
    0.95,
  )
  expect(states(labels)).toEqual(['email confirmed', 'phone proposed'])
})

test('a label that nothing shows any more goes, unless a person decided it', () => {
  const seen = withEvidence([], [{ category: 'email', confidence: 1 }], 0.95)
  expect(withEvidence(seen, [], 0.95)).toEqual([])
  expect(states(withEvidence(decided(seen, 'email', 'confirmed'), [], 0.95))).toEqual(['email confirmed'])
})

test('a rejection outlives new evidence, and a label set by hand stays beside it', () => {
  const rejected = decided(
    decided(withEvidence([], [{ category: 'email', confidence: 1 }], 0.95), 'email', 'rejected'),
    'health',
    'confirmed',
  )
  const again = withEvidence(rejected, [{ category: 'email', confidence: 0.97 }], 0.95)
  expect(states(again)).toEqual(['email rejected', 'health confirmed'])
  expect(again[0]).toMatchObject({ confidence: 0.97, decided_by: 'person' })
})

test('confirmed labels give the level, and never one below the level that a person set', () => {
  const labels = withEvidence([], [{ category: 'email', confidence: 1 }], 0.95)
  expect(effective(labels, null)).toEqual({ categories: ['email'], level: 'confidential' })
  expect(effective(labels, 'restricted').level).toBe('restricted')
  expect(effective(labels, 'public').level).toBe('confidential')
  expect(effective(decided(labels, 'email', 'rejected'), null)).toEqual({ categories: [], level: null })
})
