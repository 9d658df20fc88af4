import { expect, test } from 'vitest'
import { createWatch, verdictOf } from './watch.ts'

const result = (name: string, within: boolean, hard = false) => ({ name, within, hard, value: 1, fault: null })
const isGuard = (name: string) => name === 'guard'

test('two breaches in a row abort, or one of a hard limit', () => {
  const watch = createWatch()
  expect(watch.see([result('guard', false)], 1, isGuard)).toBeNull()
  expect(watch.see([result('guard', true)], 2, isGuard)).toBeNull()
  expect(watch.see([result('guard', false)], 3, isGuard)).toBeNull()
  expect(watch.see([result('guard', false)], 4, isGuard)).toBe('guard: guard')
  expect(createWatch().see([result('steady', false, true)], 1, isGuard)).toBe('hypothesis: steady')
})

test('checks of the hypothesis count, guards do not, and the first breach is remembered', () => {
  const watch = createWatch()
  watch.see([result('steady', true), result('guard', false)], 1, isGuard)
  watch.see([result('steady', false)], 2, isGuard)
  watch.see([result('steady', true)], 3, isGuard)
  expect([watch.checks(), watch.breachedAtMs()]).toEqual([{ met: 2, total: 3 }, 2])
})

test.each([
  [{ checks: { met: 3, total: 3 }, cause: null, affected: 5 }, 'hypothesis_met'],
  [{ checks: { met: 2, total: 3 }, cause: null, affected: 5 }, 'deviated'],
  [{ checks: { met: 2, total: 3 }, cause: 'person', affected: 5 }, 'deviated'],
  [{ checks: { met: 3, total: 3 }, cause: 'person', affected: 5 }, 'inconclusive'],
  [{ checks: { met: 3, total: 3 }, cause: null, affected: 0 }, 'inconclusive'],
  [{ checks: { met: 0, total: 0 }, cause: null, affected: 5 }, 'inconclusive'],
])('%j is %s', (ended, verdict) => {
  expect(verdictOf(ended)).toBe(verdict)
})
