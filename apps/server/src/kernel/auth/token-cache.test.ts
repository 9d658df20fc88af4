import { expect, test } from 'vitest'
import { createTokenCache } from './token-cache.ts'

test('an entry ends at the second its token ends', () => {
  let now = 10_000
  const cache = createTokenCache<string>(10, () => now)
  cache.set('token', 'claims', 11)
  expect(cache.get('token')).toBe('claims')
  now = 10_999
  expect(cache.get('token')).toBe('claims')
  now = 11_000
  expect(cache.get('token')).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('the oldest entry makes room', () => {
  const cache = createTokenCache<number>(3, () => 0)
  for (let index = 0; index < 1_000; index += 1) cache.set(`t${index}`, index, 1)
  expect(cache.size).toBe(3)
  expect(cache.get('t999')).toBe(999)
  expect(cache.get('t0')).toBeUndefined()
})
