import { expect, test } from 'vitest'
import type { Tolerance } from '../declared/scenario-schema.ts'
import { toleranceOf } from './chaostoolkit.ts'
import { readJsonPath } from './json-path.ts'
import { isWithin, type Probed } from './tolerance.ts'

const answer = (body: unknown, status = 200): Probed => ({ status, body: JSON.stringify(body) })
const state = answer({ a: { b: [1, { c: 'up' }] }, ok: true, 'x-y': 2 })

test.each<[given: unknown, value: Probed, within: boolean]>([
  [200, answer({}), true],
  [200, answer({}, 503), false],
  [200, 200, true],
  [true, true, true],
  [true, false, false],
  ['up', 'up', true],
  ['up', 'down', false],
  [[200, 204], answer({}, 204), true],
  [[200, 204], answer({}, 500), false],
  [['up', 'warm'], 'warm', true],
  [{ type: 'range', range: [0, 10] }, 10, true],
  [{ type: 'range', range: [0, 10] }, 10.1, false],
  [{ type: 'range', range: [200, 299] }, answer({}, 204), true],
  [{ type: 'regex', pattern: '^u.$' }, 'up', true],
  [{ type: 'regex', pattern: '^u$' }, 'up', false],
  [{ type: 'regex', pattern: 'up' }, state, true],
  [{ type: 'regex', pattern: '^2', target: 'status' }, state, true],
  [{ type: 'regex', pattern: '^5', target: 'status' }, state, false],
  [{ type: 'jsonpath', path: '$.ok' }, state, true],
  [{ type: 'jsonpath', path: '$.missing' }, state, false],
  [{ type: 'jsonpath', path: '$.ok', expect: [true] }, state, true],
  [{ type: 'jsonpath', path: '$.ok', expect: false }, state, false],
  [{ type: 'jsonpath', path: '$.a.b[0]', expect: [1] }, state, true],
  [{ type: 'jsonpath', path: '$.a.b[1].c', expect: ['up'] }, state, true],
  [{ type: 'jsonpath', path: '$.a.b[*].c', expect: ['up'] }, state, true],
  [{ type: 'jsonpath', path: "$['x-y']", expect: [2] }, state, true],
  [{ type: 'jsonpath', path: '$.a.b[7]' }, state, false],
  [{ type: 'jsonpath', path: '$.a' }, 'no JSON', false],
])('the tolerance %j of %j: %s', (given, value, within) => {
  const tolerance = toleranceOf(given)
  expect(tolerance).not.toBeNull()
  expect(isWithin(value, tolerance as Tolerance)).toBe(within)
})

test.each([
  [null],
  [{ type: 'probe', name: 'x', provider: { type: 'python' } }],
  [{ type: 'range', range: ['a', 'b'] }],
  [[{ a: 1 }]],
])('%j is no tolerance that is supported', (given) => {
  expect(toleranceOf(given)).toBeNull()
})

test('our own bounds, and nothing that was measured', () => {
  expect([isWithin(5, { type: 'max', value: 5 }), isWithin(6, { type: 'max', value: 5 })]).toEqual([true, false])
  expect([isWithin(5, { type: 'min', value: 5 }), isWithin(4, { type: 'min', value: 5 })]).toEqual([true, false])
  expect([isWithin(null, { type: 'max', value: 5 }), isWithin(null, { type: 'min', value: 5 })]).toEqual([true, false])
})

test('a pattern that would take other engines for ever is answered at once', () => {
  expect(isWithin('a'.repeat(5000), { type: 'regex', pattern: '^(a+)+$b' })).toBe(false)
})

test('paths with filters and functions are refused', () => {
  for (const path of ['a.b', '$..a', '$[?(@.a)]', '$.a[-1]', '$.a.length()']) expect(readJsonPath(path)).toBeNull()
})
