import { expect, test } from 'vitest'
import { ProblemError } from '../errors/problem.ts'
import { assertFresh, freshForSeconds } from './fresh.ts'

const at = (age: number) => () => assertFresh({ authTime: 1_000_000 }, { now: () => (1_000_000 + age) * 1000 })

test('a proof of identity is fresh for ten minutes', () => {
  expect(at(0)).not.toThrow()
  expect(at(freshForSeconds)).not.toThrow()
  expect(at(freshForSeconds + 1)).toThrow(ProblemError)
})

test('a credential without a proof of identity is never fresh, and the refusal says how fresh it has to be', () => {
  const refusal = (() => {
    try {
      assertFresh({ authTime: null }, { now: () => 0 })
    } catch (error) {
      return error
    }
    return null
  })()
  expect(refusal).toMatchObject({ code: 'AUTH-009', status: 401 })
  expect(refusal).toMatchObject({
    headers: { 'www-authenticate': expect.stringMatching(/insufficient_user_authentication.*max_age=600/) },
  })
})
