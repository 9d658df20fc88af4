import { expect, test } from 'vitest'
import { setAt } from './pointer.ts'

test.each([
  ['/a', { a: 1 }],
  ['/deep/x~1y~0z', { deep: { 'x/y~z': 1 } }],
  ['/list/0/b', { list: [{ b: 1 }] }],
  ['/list/1', { list: [{}, 1] }],
  ['/list/0', { list: [1, {}] }],
])('%s is a place', (at, expected) => {
  const body = { deep: {}, list: [{}] }
  expect(setAt(body, at, 1)).toBe(true)
  expect(body).toMatchObject(expected)
})

test.each(['', '/missing/a', '/list/5', '/list/7/b', '/text/a', '/__proto__', '/constructor/prototype/a'])(
  '%j is none, and nothing happens',
  (at) => {
    const body = { list: [{}], text: 'a' }
    expect(setAt(body, at, 1)).toBe(false)
    expect(body).toEqual({ list: [{}], text: 'a' })
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  },
)
