import { expect, test } from 'vitest'
import type { Definition, Step } from './declared/definition.ts'
import type { RunStepRow } from './declared/schema.ts'
import { nextTurn, retryPause } from './graph.ts'

const step = (id: string, rest: Partial<Step> = {}): Step => ({ id, type: 'set', with: {}, ...rest })
const definition = (...steps: Step[]): Definition => ({ trigger: { type: 'manual' }, steps })
const journal = (statuses: Record<string, RunStepRow['status']>) =>
  new Map(Object.entries(statuses).map(([id, status]) => [id, { status, attempts: 1 }]))

test('a step runs when all that it waits for has succeeded, in the order of the definition', () => {
  const steps = definition(step('a'), step('b', { depends_on: ['a', 'c'] }), step('c'))
  expect(nextTurn(steps, journal({ a: 'pending', b: 'pending', c: 'pending' }))).toMatchObject({ step: { id: 'a' } })
  expect(nextTurn(steps, journal({ a: 'succeeded', b: 'pending', c: 'pending' }))).toMatchObject({ step: { id: 'c' } })
  expect(nextTurn(steps, journal({ a: 'succeeded', b: 'pending', c: 'waiting' }))).toEqual({ kind: 'wait' })
  expect(nextTurn(steps, journal({ a: 'succeeded', b: 'pending', c: 'succeeded' }))).toMatchObject({
    step: { id: 'b' },
  })
  expect(nextTurn(steps, journal({ a: 'succeeded', b: 'succeeded', c: 'succeeded' }))).toEqual({
    ...{ kind: 'end', failed: null },
  })
})

test('one that was running when its worker died runs again', () => {
  expect(nextTurn(definition(step('a')), journal({ a: 'running' }))).toMatchObject({ kind: 'run', step: { id: 'a' } })
})

test('what waits for something skipped is skipped', () => {
  const steps = definition(step('a'), step('b', { depends_on: ['a'] }), step('c', { depends_on: ['b'] }))
  expect(nextTurn(steps, journal({ a: 'skipped', b: 'pending', c: 'pending' }))).toEqual({ kind: 'skip', ids: ['b'] })
})

test('a failure ends the run, is passed over, or leads to another step', () => {
  const failing = (rest: Partial<Step>) => definition(step('a', rest), step('b', { depends_on: ['a'] }), step('c'))
  const now = journal({ a: 'failed', b: 'pending', c: 'pending' })
  expect(nextTurn(failing({}), now)).toEqual({ kind: 'end', failed: 'a' })
  expect(nextTurn(failing({ on_error: 'continue' }), now)).toMatchObject({ step: { id: 'b' } })
  const leading = failing({ on_error: 'goto', goto: 'c' })
  expect(nextTurn(leading, now)).toEqual({ kind: 'skip', ids: ['b'] })
  expect(nextTurn(leading, journal({ a: 'failed', b: 'skipped', c: 'pending' }))).toMatchObject({ step: { id: 'c' } })
  expect(nextTurn(leading, journal({ a: 'succeeded', b: 'succeeded', c: 'pending' }))).toEqual({
    ...{ kind: 'skip', ids: ['c'] },
  })
})

test('the pauses between attempts grow to their bound and end', () => {
  const retry = { max_attempts: 4, initial_ms: 1_000, factor: 10, max_ms: 20_000 }
  expect([1, 2, 3, 4].map((attempts) => retryPause(retry, attempts, 0))).toEqual([1_000, 10_000, 20_000, null])
  expect(retryPause(undefined, 1, 0)).toBeNull()
  expect(retryPause(retry, 1, 0.5)).toBe(1_100)
})
