import { expect, test } from 'vitest'
import { suites } from '../borders/sources.ts'
import { held, matrices } from '../support/matrices.ts'

test('every matrix is held by one suite, and every suite holds one that is listed', () => {
  const called = ['apps/server/src', 'apps/server/test']
    .flatMap(suites)
    .filter(({ path }) => !path.endsWith('docs/matrices.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/\bheld\('([^']+)'/g)].map(([, name]) => name))
  expect(called.toSorted()).toEqual(matrices.map(({ name }) => name).toSorted())
})

test('none may be empty', () => {
  expect(matrices.filter(({ least }) => least < 10).map(({ name }) => name)).toEqual([])
})

test('one that has become smaller, or that nobody listed, fails', () => {
  const [first] = matrices
  if (first === undefined) throw new Error('There are no matrices.')
  expect(() => held(first.name, first.least - 1)).toThrow(first.name)
  expect(() => held('of nothing', 1_000_000)).toThrow('knows no of nothing')
  expect(() => held(first.name, first.least)).not.toThrow()
})
