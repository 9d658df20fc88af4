import { expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { createKnownScores } from './known-scores.ts'

const of = { tenantId: 'a' as TenantId, classifier: 'guard' }

test('a score is known for a while, to the tenant whose text it was and of the classifier that said it', () => {
  let now = 0
  const scores = createKnownScores(() => now)
  scores.set(of, 'text', 0.25)
  expect(scores.get(of, 'text')).toBe(0.25)
  expect(scores.get({ ...of, tenantId: 'b' as TenantId }, 'text')).toBeUndefined()
  expect(scores.get({ ...of, classifier: 'other' }, 'text')).toBeUndefined()
  expect(scores.get(of, 'text ')).toBeUndefined()
  now = 600_000
  expect(scores.get(of, 'text')).toBeUndefined()
})

test('of more than are held the oldest are forgotten', () => {
  const scores = createKnownScores(() => 0)
  for (let at = 0; at <= 20_000; at += 1) scores.set(of, `${at}`, 0)
  expect(scores.get(of, '0')).toBeUndefined()
  expect(scores.get(of, '1')).toBe(0)
  expect(scores.get(of, '20000')).toBe(0)
})
