import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('ids are version 7, variant 10, and strictly increase within one millisecond', () => {
  const random = createRandom(() => 1_700_000_000_000)
  const ids = Array.from({ length: 10_000 }, () => random.uuid())
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an id keeps its place when the clock steps back', () => {
  let now = 2_000
  const random = createRandom(() => now)
  const first = random.uuid()
  now = 1_000
  expect(random.uuid() > first).toBe(true)
})

test('base62 text has the asked length and only letters and digits', () => {
  const random = createRandom(() => 1)
  expect(random.base62(43)).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(random.bytes(5000)).toHaveLength(5000)
})
