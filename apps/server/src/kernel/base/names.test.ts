import { expect, test } from 'vitest'
import { askedOnce } from './names.ts'

test('asks once of each name, and of what came after too many names again and again', () => {
  const asked: string[] = []
  const isLong = askedOnce((name) => {
    asked.push(name)
    return name.length > 3
  })
  expect([isLong('abc'), isLong('abcd'), isLong('abc')]).toEqual([false, true, false])
  expect(asked).toEqual(['abc', 'abcd'])

  for (let n = 0; n < 2_000; n += 1) isLong(`name ${n}`)
  asked.length = 0
  expect([isLong('late'), isLong('late'), isLong('abcd')]).toEqual([true, true, true])
  expect(asked).toEqual(['late', 'late'])
})
